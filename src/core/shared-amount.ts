interface Waiter {
  readonly amount: number;
  readonly admit: () => void;
}

/** Something that several share, such as memory: whoever asks for more than is left waits, in the order of asking. */
export class SharedAmount {
  readonly #total: number;
  #left: number;
  readonly #waiters: Waiter[] = [];

  constructor(total: number) {
    this.#total = total;
    this.#left = total;
  }

  /**
   * Resolves when `amount` is the caller's, with what gives them back; asking for more than there is takes all.
   * Rejects with the signal's reason.
   */
  async take(amount: number, signal: AbortSignal): Promise<Disposable> {
    signal.throwIfAborted();
    const atOnce = this.takeNow(amount);
    if (atOnce !== undefined) return atOnce;
    const taken = Math.min(amount, this.#total);
    await this.#wait(taken, signal);
    return this.#held(taken);
  }

  /** The same in this turn; undefined when the caller would have to wait. */
  takeNow(amount: number): Disposable | undefined {
    const taken = Math.min(amount, this.#total);
    if (this.#waiters.length > 0 || taken > this.#left) return undefined;
    this.#left -= taken;
    return this.#held(taken);
  }

  #held(taken: number): Disposable {
    return {
      [Symbol.dispose]: () => {
        this.#left += taken;
        this.#admit();
      },
    };
  }

  async #wait(amount: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const waiter: Waiter = { amount, admit: resolve };
    const onAbort = (): void => {
      const at = this.#waiters.indexOf(waiter);
      if (at < 0) return;
      this.#waiters.splice(at, 1);
      reject(signal.reason);
      this.#admit();
    };
    this.#waiters.push(waiter);
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  #admit(): void {
    for (let first = this.#waiters[0]; first !== undefined && first.amount <= this.#left; first = this.#waiters[0]) {
      this.#waiters.shift();
      this.#left -= first.amount;
      first.admit();
    }
  }
}
