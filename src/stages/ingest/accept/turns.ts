/**
 * Long work of requests, in steps: each turn of the event loop takes one step of one of them, in rotation. Whoever comes
 * meanwhile waits for one step, not for the work of all.
 */
export class Turns {
  readonly #waiting: (() => void)[] = [];

  /** The first step is taken at once: what has only one makes no promise. */
  run<T>(steps: Generator<void, T>): T | Promise<T> {
    const first = steps.next();
    return first.done === true ? first.value : this.#rest(steps);
  }

  async #rest<T>(steps: Generator<void, T>): Promise<T> {
    for (;;) {
      await this.#turn();
      const step = steps.next();
      if (step.done === true) return step.value;
    }
  }

  #turn(): Promise<void> {
    if (this.#waiting.length === 0) setImmediate(() => this.#pass());
    return new Promise((resolve) => void this.#waiting.push(resolve));
  }

  #pass(): void {
    const wake = this.#waiting.shift();
    if (this.#waiting.length > 0) setImmediate(() => this.#pass());
    wake?.();
  }
}
