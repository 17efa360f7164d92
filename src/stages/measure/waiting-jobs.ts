import type { Clock } from '../../core/clock.ts';
import { dueSince } from '../../core/jobs/due-since.ts';
import { workersPresent, type RunsJobs, type SeenWorkers } from '../../core/workforce.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { readWorkers } from '../../documents/read-workers.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { jobsMeasured } from '../../telemetry/job-gauges.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';

export interface WaitingJobsOptions {
  readonly catalog: Catalog;
  readonly clock: Clock;
  readonly runsJobs: RunsJobs;
  /** Of the process. */
  readonly workers: SeenWorkers;
  readonly telemetry: Telemetry;
}

/** Keeps the gauges of jobs that nobody has begun, wherever they would run: who runs none cannot tell of those that wait. */
export class WaitingJobs {
  readonly #options: WaitingJobsOptions;
  /** Since when each of them could begin, by document. */
  readonly #dueSince = new Map<string, number>();
  #token: string | undefined;

  constructor(options: WaitingJobsOptions) {
    this.#options = options;
  }

  async measure(waiting: Waiting): Promise<void> {
    const { catalog, clock, telemetry } = this.#options;
    await this.#follow(waiting);
    const now = clock.now();
    const due = [...this.#dueSince.values()].filter((since) => since <= now);
    const oldestMs = due.reduce((oldest, since) => Math.max(oldest, now - since), 0);
    jobsMeasured(telemetry, { waiting: due.length, oldestMs, workers: await this.#workers(catalog, waiting) });
  }

  async #follow(waiting: Waiting): Promise<void> {
    const query = { collection: 'job', token: this.#token, maxWaitMs: 0 } as const;
    const { token, written, removed, complete } = await this.#options.catalog.changes(query, waiting);
    if (complete) this.#dueSince.clear();
    for (const { id, value } of written) {
      const job = jobDocuments.tryParse(value);
      if (job?.phase === 'created' || job?.phase === 'waiting') this.#dueSince.set(id, dueSince(job));
      else this.#dueSince.delete(id);
    }
    for (const id of removed) this.#dueSince.delete(id);
    this.#token = token;
  }

  async #workers(catalog: Catalog, waiting: Waiting): Promise<number> {
    const { clock, runsJobs, workers } = this.#options;
    if (runsJobs === 'nowhere') return 0;
    const said = await readWorkers(catalog, waiting);
    const present = workersPresent(workers.look(said, { now: clock.now(), monotonic: clock.monotonic() }));
    return runsJobs === 'here' ? Math.max(1, present) : present;
  }
}
