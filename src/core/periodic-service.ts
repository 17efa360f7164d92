import type { Clock } from './clock.ts';
import { Rests } from './rests.ts';
import type { Service } from './service.ts';

export interface PeriodicOptions {
  readonly id: string;
  readonly clock: Clock;
  /** Pause between the end of a round and the next one. */
  readonly everyMs: number;
  /**
   * It looks at everything that there is: after a round that took long it rests so long that it has a twentieth of the time, or for
   * `longestRestMs`. Absent: it does not grow.
   */
  readonly growing?: true;
  /** One round; its failure is the service's. */
  readonly round: (options: { readonly signal: AbortSignal }) => Promise<unknown>;
}

/** What has to be done from time to time. */
export type Round = Pick<PeriodicOptions, 'id' | 'everyMs' | 'growing' | 'round'>;

const restTimes = 20;
const longestRestMs = 30_000;

/** A service that does the same thing again and again until it is told to leave. */
export class PeriodicService implements Service {
  readonly id: string;
  readonly #options: PeriodicOptions;
  readonly #leaving = new AbortController();

  constructor(options: PeriodicOptions) {
    this.id = options.id;
    this.#options = options;
  }

  async run(signal: AbortSignal): Promise<void> {
    const { clock, everyMs, growing = false, round } = this.#options;
    const rests = new Rests(growing ? longestRestMs : 0, restTimes);
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    while (!either.aborted) {
      try {
        const began = clock.monotonic();
        await round({ signal: either });
        const ended = clock.monotonic();
        rests.done({ began, ended });
        await clock.sleep(Math.max(everyMs, rests.dueAt - ended), { signal: either });
      } catch (thrown) {
        if (!either.aborted) throw thrown;
      }
    }
  }

  async drain(): Promise<void> {
    this.#leaving.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
  }
}
