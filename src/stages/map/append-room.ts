import type { Waiting } from '../../ports/waiting.ts';

/** Bounds the bytes of outcomes that are on their way into the log, for all sinks and partitions together (D8). */
export class AppendRoom {
  readonly #maxBytes: number;
  readonly #waiting: (() => void)[] = [];
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  /**
   * Resolves when there is room, and takes it: give it back by `leave`. What is larger than all room gets in alone. Rejects with
   * the signal's reason.
   */
  async enter(bytes: number, { signal }: Waiting): Promise<void> {
    while (this.#bytes > 0 && this.#bytes + bytes > this.#maxBytes) {
      signal.throwIfAborted();
      const { promise, resolve } = Promise.withResolvers<void>();
      this.#waiting.push(resolve);
      const abort = (): void => resolve();
      signal.addEventListener('abort', abort, { once: true });
      await promise;
      signal.removeEventListener('abort', abort);
    }
    this.#bytes += bytes;
  }

  leave(bytes: number): void {
    this.#bytes -= bytes;
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}
