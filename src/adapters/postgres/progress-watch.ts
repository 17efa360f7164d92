/** A signal that is aborted with the caller's, or when nothing has moved for too long. */
export class ProgressWatch implements Disposable {
  readonly #abort = new AbortController();
  readonly #caller: AbortSignal;
  readonly #stillMs: number;
  readonly #reason: () => Error;
  #timer: NodeJS.Timeout | undefined;
  #isOver = false;
  readonly #onAbort = (): void => this.#abort.abort(this.#caller.reason);

  /** `reason` makes the error that the signal is aborted with after `stillMs` without progress. */
  constructor(caller: AbortSignal, { stillMs, reason }: { readonly stillMs: number; readonly reason: () => Error }) {
    this.#caller = caller;
    this.#stillMs = stillMs;
    this.#reason = reason;
    if (caller.aborted) this.#onAbort();
    caller.addEventListener('abort', this.#onAbort, { once: true });
    this.progress();
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Something has moved; the next step may take so long. */
  progress(stillMs = this.#stillMs): void {
    // What is watched may move once more after its connection broke: that must not keep a process from ending.
    if (this.#isOver) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#abort.abort(this.#reason()), stillMs);
  }

  /** From now on the caller's signal is not seen any more; the time limit stays. */
  ignoreCaller(): void {
    this.#caller.removeEventListener('abort', this.#onAbort);
  }

  [Symbol.dispose](): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
    this.ignoreCaller();
  }
}
