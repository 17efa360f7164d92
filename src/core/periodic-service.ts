import type { Clock } from './clock.ts';
import type { Service } from './service.ts';

export interface PeriodicOptions {
  readonly id: string;
  readonly clock: Clock;
  /** Pause between the end of a round and the next one. */
  readonly everyMs: number;
  /** One round; its failure is the service's. */
  readonly round: (options: { readonly signal: AbortSignal }) => Promise<unknown>;
}

/** What has to be done from time to time. */
export type Round = Pick<PeriodicOptions, 'id' | 'everyMs' | 'round'>;

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
    const { clock, everyMs, round } = this.#options;
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    while (!either.aborted) {
      try {
        await round({ signal: either });
        await clock.sleep(everyMs, { signal: either });
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
