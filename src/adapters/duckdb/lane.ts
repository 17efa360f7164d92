import { MillraceError } from '../../core/millrace-error.ts';
import { abortable } from '../../core/abortable.ts';

/** Work that takes turns: one task at a time, in the order of the calls, and a bounded number that waits. */
export class Lane {
  readonly #maxWaiting: number;
  #waiting = 0;
  #tail: Promise<unknown> = Promise.resolve();

  constructor(maxWaiting: number) {
    this.#maxWaiting = maxWaiting;
  }

  /**
   * Settles like `task`. An abort before its turn rejects at once and the task never runs; during its turn it is the task's
   * own concern. `table.unavailable` when too many wait.
   */
  async run<T>(signal: AbortSignal, task: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#waiting >= this.#maxWaiting) {
      throw new MillraceError('table.unavailable', `the table store is busy: ${this.#waiting} operations wait already`);
    }
    const before = this.#tail;
    const { promise: done, resolve: leave } = Promise.withResolvers<void>();
    this.#tail = before.then(() => done);
    this.#waiting += 1;
    try {
      await abortable(before, signal);
      return await task();
    } finally {
      this.#waiting -= 1;
      leave();
    }
  }

  /** Resolves when everything that was asked for until now has settled. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
