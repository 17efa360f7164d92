import type { Clock } from '../../core/clock.ts';
import { JobFault } from './job-fault.ts';

/** A signal that is aborted when the time of a run is over, too: its reason says so, in words for the owner of the job. */
export class TimedSignal {
  readonly signal: AbortSignal;
  readonly #ending = new AbortController();

  constructor(clock: Pick<Clock, 'sleep'>, ms: number, outer: AbortSignal) {
    const late = new AbortController();
    this.signal = AbortSignal.any([outer, late.signal]);
    const message = `The job was ended because it took more than ${Math.round(ms / 1000)} seconds.`;
    clock.sleep(ms, { signal: this.#ending.signal }).then(
      () => late.abort(new JobFault('application', message)),
      () => undefined,
    );
  }

  /** The time does not count any more. */
  end(): void {
    this.#ending.abort();
  }
}
