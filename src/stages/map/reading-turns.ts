import type { Offset } from '../../core/offset.ts';

/** Where a partition is to be read now. */
export interface Turn {
  readonly offset: Offset;
  /** When to ask again, on the monotonic clock, even if nothing was read; infinity: only when something was. */
  readonly endsAt: number;
}

/** Longer than a log may keep a read waiting at the end of a topic. */
const headMs = 300;
const laggingMs = 1000;

/**
 * Whose turn it is on a partition whose sinks stand at two positions or more: that of the sinks at the head, or that of
 * the last one. A turn lasts until a read is answered, because a log across a network never answers a read that is
 * given up at once. Where the last one stands there is always something to read. At the head there may be nothing; then
 * the turn ends by itself and the last one gets more time.
 */
export class ReadingTurns {
  #current: { readonly isHeads: boolean; readonly endsAt: number } | undefined;
  #isServed = false;

  /** A read at the position of the turn was answered. */
  served(): void {
    this.#isServed = true;
  }

  take({ low, head, now }: { readonly low: Offset; readonly head: Offset; readonly now: number }): Turn {
    if (low === head) this.#current = undefined;
    else if (this.#current === undefined) this.#begin({ isHeads: true, endsAt: now + headMs });
    else if (this.#current.isHeads) {
      if (this.#isServed) this.#begin({ isHeads: false, endsAt: now });
      else if (now >= this.#current.endsAt) this.#begin({ isHeads: false, endsAt: now + laggingMs });
    } else if (this.#isServed && now >= this.#current.endsAt) this.#begin({ isHeads: true, endsAt: now + headMs });
    if (this.#current?.isHeads === true) return { offset: head, endsAt: this.#current.endsAt };
    return { offset: low, endsAt: Number.POSITIVE_INFINITY };
  }

  #begin(turn: { readonly isHeads: boolean; readonly endsAt: number }): void {
    this.#current = turn;
    this.#isServed = false;
  }
}
