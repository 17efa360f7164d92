/** Who waits for a turn to import. Times on the monotonic clock. */
export interface Waiter {
  /** When it last had a turn; far in the past when it never did. */
  readonly startedAt: number;
  /** Since when it has waited for what is due now; not finite when that is not known. */
  readonly waitsSince: number;
}

/** Whoever is due sooner than this is taken for somebody who waits so long. */
const leastWaitMs = 1000;

/**
 * Who goes first when more is due than can be done at once: the one that is latest in proportion to the time it takes
 * to become due. A sink that fills up within seconds does not wait behind hundreds that are due once a minute; each of
 * these gets later as well, until it is its turn.
 */
export class Turns<Each extends Waiter> {
  readonly #dueSince = new Map<Each, number>();

  /**
   * Those that are due, in the order of their turns. Call it at each look: one that is no longer due counts as having
   * had its turn.
   */
  order(due: readonly Each[], now: number): readonly Each[] {
    const current = new Set(due);
    for (const waiter of this.#dueSince.keys()) if (!current.has(waiter)) this.#dueSince.delete(waiter);
    for (const waiter of due) if (!this.#dueSince.has(waiter)) this.#dueSince.set(waiter, now);
    const late = new Map(due.map((waiter) => [waiter, this.#lateness(waiter, now)]));
    const of = (waiter: Each): number => late.get(waiter) ?? 0;
    return due.toSorted((a, b) => of(b) - of(a) || Math.sign(a.startedAt - b.startedAt) || 0);
  }

  #lateness(waiter: Each, now: number): number {
    const dueSince = this.#dueSince.get(waiter) ?? now;
    const ordinaryMs = Number.isFinite(waiter.waitsSince) ? dueSince - waiter.waitsSince : 0;
    return (now - dueSince) / Math.max(leastWaitMs, ordinaryMs);
  }
}
