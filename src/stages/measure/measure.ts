import type { Incarnation } from '../../core/ids.ts';
import type { Round } from '../../core/periodic-service.ts';
import { RetentionUse, type RetentionUseOptions } from './retention-use.ts';
import { SinkGauges, type SinkGaugesOptions, type Standings } from './sink-gauges.ts';
import { Standstills, type StandstillsOptions } from './standstills.ts';
import { WaitingJobs, type WaitingJobsOptions } from './waiting-jobs.ts';

export type MeasureOptions = SinkGaugesOptions & RetentionUseOptions & StandstillsOptions & WaitingJobsOptions;

/** All that looks at sinks and jobs from time to time, and what it saw last; every process with the role admin has one. */
export class Measure {
  readonly #gauges: SinkGauges;
  readonly #retentionUse: RetentionUse;
  readonly #standstills: Standstills;
  readonly #waitingJobs: WaitingJobs;

  constructor(options: MeasureOptions) {
    this.#gauges = new SinkGauges(options);
    this.#retentionUse = new RetentionUse(options);
    this.#standstills = new Standstills(options);
    this.#waitingJobs = new WaitingJobs(options);
  }

  /** What has to run for it; a look that fails keeps no other one from looking. */
  get rounds(): readonly Round[] {
    return [
      { id: 'gauges', everyMs: 5000, growing: true, round: (waiting) => this.#gauges.measure(waiting) },
      { id: 'retention-use', everyMs: 60_000, growing: true, round: (waiting) => this.#retentionUse.measure(waiting) },
      { id: 'waiting-jobs', everyMs: 15_000, round: (waiting) => this.#waitingJobs.measure(waiting) },
      { id: 'standstills', everyMs: 15_000, growing: true, round: (waiting) => this.#standstills.look(waiting) },
    ];
  }

  /** What stands still of a sink, in words; undefined when nothing does. */
  readonly standstillOf = (incarnation: Incarnation): string | undefined => this.#standstills.alarmOf(incarnation);

  /** How all sinks stood at the last look; undefined before the first one. */
  readonly standings = (): Standings | undefined => this.#gauges.standings;

  /** How much of the retention of its source a sink has used, from 0 to 1; undefined when it is not known. */
  readonly retentionUsedBy = (incarnation: Incarnation): number | undefined => this.#retentionUse.shareOf(incarnation);
}
