/**
 * When to do again what costs more the more there is of something, and is asked for with each of them: at once after a while without it,
 * and otherwise after a rest that is so many times as long as it took. So a thousand that come one after the other cost a part of the time
 * that they take to come, and not a thousand times what all of them cost. Times on the monotonic clock.
 */
export class Rests {
  readonly #longestMs: number;
  readonly #times: number;
  #dueAt = Number.NEGATIVE_INFINITY;

  /** `longestMs`: nobody waits for longer, however long it takes. After ten times what it took, unless another number is given. */
  constructor(longestMs: number, times = 10) {
    this.#longestMs = longestMs;
    this.#times = times;
  }

  /** When it may be done again. */
  get dueAt(): number {
    return this.#dueAt;
  }

  isDue(now: number): boolean {
    return now >= this.#dueAt;
  }

  /** It was done. */
  done({ began, ended }: { readonly began: number; readonly ended: number }): void {
    this.#dueAt = ended + Math.min(this.#longestMs, this.#times * (ended - began));
  }
}
