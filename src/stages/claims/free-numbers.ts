import type { Incarnation } from '../../core/ids.ts';

/** So many operations may have taken a number before the one that asks. */
const together = 64;
/** After so many the log is looked through again. */
const longest = 10_000;

/**
 * Which incarnations a log cannot hold, after a look through all of its topics: those above the highest that it had then, as
 * long as each is asked for once and they are handed out one after the other. A number that comes again, or from elsewhere in
 * the order, is of a catalog that was brought back, or of another process: then the log is to be looked through again.
 */
export class FreeNumbers {
  /** In the order in which they were asked for. What was asked for before a look may be made after it. */
  readonly #asked = new Set<Incarnation>();
  #highest = Number.POSITIVE_INFINITY;
  #last = 0;

  /** The log was looked through for this one. */
  looked(asked: Incarnation, highest: number): void {
    this.#highest = highest;
    this.#last = Math.max(this.#last, asked);
    if (this.#asked.size >= longest) for (const old of [...this.#asked].slice(0, -together)) this.#asked.delete(old);
    this.#asked.add(asked);
  }

  /** True when the log cannot hold it; it counts as asked for. */
  isFree(asked: Incarnation): boolean {
    const isFollowing = asked > this.#highest && asked <= this.#last + together && !this.#asked.has(asked);
    if (!isFollowing || this.#asked.size >= longest) return false;
    this.#asked.add(asked);
    this.#last = Math.max(this.#last, asked);
    return true;
  }
}
