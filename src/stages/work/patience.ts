import type { Clock } from '../../core/clock.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { RetryPacing } from '../../core/retry-pacing.ts';
import type { Waiting } from '../../ports/waiting.ts';

export interface PatienceOptions {
  readonly clock: Clock;
  readonly retry: RetryPacing;
  /** Each time that a store did not answer. */
  readonly onFailure: (error: MillraceError) => void;
}

/** Tries again for as long as a store is away: a job does not fail for it. */
export class Patience {
  readonly #options: PatienceOptions;

  constructor(options: PatienceOptions) {
    this.#options = options;
  }

  /** What the work gives; rejects with what is not mended by trying again, and with the signal's reason. */
  async for<T>(work: () => Promise<T>, { signal }: Waiting): Promise<T> {
    const { clock, retry, onFailure } = this.#options;
    for (let failures = 1; ; failures += 1) {
      signal.throwIfAborted();
      try {
        return await work();
      } catch (thrown) {
        signal.throwIfAborted();
        if (!(thrown instanceof MillraceError && thrown.retryable)) throw thrown;
        onFailure(thrown);
      }
      await clock.sleep(retry.pauseMs(failures), { signal });
    }
  }
}
