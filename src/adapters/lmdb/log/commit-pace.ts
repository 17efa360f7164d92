/** A small commit begins no later than this behind the one before. */
const gapMs = 1;
/** With so many appends, or bytes, a commit is large enough: more of them save little. */
const large = { appends: 16, bytes: 64 * 1024 } as const;

/**
 * When the next commit begins. What comes within a moment of a commit costs no commit of its own; but nobody is to wait who gains nothing.
 * So it is asked who may come. Where appends came while the last commit was written, senders come by themselves, and those that were just
 * told may be back, too. Where none came, only these can, as many as came together twice: a sender that is alone waits for nobody, also
 * when another one comes by now and then.
 */
export class CommitPace {
  #waiting = 0;
  #waitingBytes = 0;
  /** Appends of the last commit, and of the one before. */
  #last = 0;
  #before = 0;
  #isHurried = false;
  /** Ends the wait that goes on when so many appends wait. */
  #wait: { readonly expected: number; readonly end: () => void } | undefined;

  /** An append of so many bytes, about, waits for a commit. */
  add(bytes: number): void {
    this.#waiting += 1;
    this.#waitingBytes += bytes;
    if (this.#wait !== undefined && this.#isEnough(this.#wait.expected)) this.#wait.end();
  }

  /** Ends the wait that goes on, and keeps the next commit from waiting: what a commit left behind has waited. */
  hurry(): void {
    this.#isHurried = true;
    this.#wait?.end();
  }

  /** A commit takes so many appends of those that wait; what it leaves is hurried. */
  begin(appends: number): void {
    this.#before = this.#last;
    this.#last = appends;
    this.#waiting = 0;
    this.#waitingBytes = 0;
  }

  /** Behind a commit; resolves when the next one may begin, or nothing has come that it would be for. */
  async mayBegin(): Promise<void> {
    const expected = this.#waiting > 0 ? this.#waiting + this.#last : Math.min(this.#last, this.#before);
    if (!this.#isHurried && expected > 1 && !this.#isEnough(expected)) await this.#more(expected);
    this.#isHurried = false;
  }

  async #more(expected: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, gapMs);
      const end = (): void => {
        clearTimeout(timer);
        // Requests that the present turn of the event loop still delivers join the commit.
        setImmediate(resolve);
      };
      this.#wait = { expected, end };
    });
    this.#wait = undefined;
  }

  #isEnough(expected: number): boolean {
    return this.#waiting >= Math.min(expected, large.appends) || this.#waitingBytes >= large.bytes;
  }
}
