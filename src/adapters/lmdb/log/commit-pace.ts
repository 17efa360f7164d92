/** A commit that is small begins so long after the one before: what comes meanwhile costs no commit of its own. */
const gapMs = 1;
/** With so many appends a commit is large enough, and begins at once. */
const large = 16;
/** Of so many commits it is known how many appends came together. */
const remembered = 16;

/**
 * When the next commit begins. While senders come and go by themselves, a commit waits a moment for more of them. Where each sends again as
 * soon as it has its answer, all have come when there are as many as lately, and nobody waits for nothing.
 */
export class CommitPace {
  /** Appends of the last commits, none counted for more than `large`, and which is overwritten next. */
  readonly #sizes = new Uint8Array(remembered);
  #turn = 0;
  #waiting = 0;
  #isHurried = false;
  /** Ends the wait that goes on when so many appends wait. */
  #wait: { readonly expected: number; readonly end: () => void } | undefined;

  /** An append waits for a commit. */
  add(): void {
    this.#waiting += 1;
    if (this.#wait !== undefined && this.#waiting >= this.#wait.expected) this.#wait.end();
  }

  /** Something has waited for a commit that did not take it: the next one waits for nobody. */
  hurry(): void {
    this.#isHurried = true;
  }

  /** A commit takes what waits. */
  begin(): void {
    this.#sizes[this.#turn] = Math.min(this.#waiting, large);
    this.#turn = (this.#turn + 1) % remembered;
    this.#waiting = 0;
    this.#isHurried = false;
  }

  /** Resolves when the next commit may begin, or nothing has come that it would be for. */
  async next(): Promise<void> {
    const expected = Math.max(...this.#sizes);
    // Who is alone has no others to wait for.
    if (this.#isHurried || expected <= 1 || this.#waiting >= expected) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gapMs);
      const end = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#wait = { expected, end };
    });
    this.#wait = undefined;
  }
}
