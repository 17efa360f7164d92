import type { Clock } from '../../../core/clock.ts';

/** A wait that others end early. */
export class Wake {
  readonly #clock: Clock;
  #woken = false;
  #endWait: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Ends a wait, or the next one if nobody waits now: see `take`. */
  wake(): void {
    this.#woken = true;
    this.#endWait?.();
  }

  /** Ends a wait that goes on now. */
  nudge(): void {
    this.#endWait?.();
  }

  /** True once after `wake`. */
  take(): boolean {
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }

  /** Resolves after `ms` or earlier; rejects with the signal's reason. */
  async wait(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const timer = new AbortController();
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    this.#endWait = resolve;
    // The timer's own abort is how a wait that ended early takes it back.
    this.#clock.sleep(ms, { signal: timer.signal }).then(resolve, () => undefined);
    try {
      await promise;
    } finally {
      this.#endWait = undefined;
      timer.abort();
      signal.removeEventListener('abort', onAbort);
    }
  }
}
