import { abortable } from '../../core/abortable.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** Threads whose event loops work for this share of the time are busy: what comes in a burst would wait. */
const busyShare = 0.75;
/** So many looks in a row: one alone is a burst, or the start of something. */
const busyLooks = 2;

export interface ThreadDemandOptions {
  /** From the start. */
  readonly least: number;
  readonly most: number;
}

/**
 * How many threads of a role are needed, by how busy those are that work. They become twice as many each time, and never fewer: one that
 * stops listening resets connections that the system has just made for it, and whoever waits for an answer to be sent on them.
 */
export class ThreadDemand {
  readonly #needs: readonly PromiseWithResolvers<void>[];
  #needed = 0;
  #busy = 0;

  constructor({ least, most }: ThreadDemandOptions) {
    this.#needs = Array.from({ length: most }, () => Promise.withResolvers<void>());
    this.#need(least);
  }

  get needed(): number {
    return this.#needed;
  }

  /** Resolves when the thread of this number, from 0, is needed; at once when it was before. */
  async until(index: number, { signal }: Waiting): Promise<void> {
    await abortable(this.#needs[index]?.promise ?? Promise.resolve(), signal);
  }

  /** Takes how busy each thread was that worked since the last look, from 0 to 1. */
  look(shares: readonly number[]): void {
    // One that begins has yet to take its part.
    const isWhole = shares.length >= this.#needed;
    const isBusy = isWhole && shares.reduce((sum, share) => sum + share, 0) >= busyShare * shares.length;
    this.#busy = isBusy ? this.#busy + 1 : 0;
    if (this.#busy < busyLooks) return;
    this.#busy = 0;
    this.#need(this.#needed * 2);
  }

  #need(count: number): void {
    this.#needed = Math.min(this.#needs.length, count);
    for (const { resolve } of this.#needs.slice(0, this.#needed)) resolve();
  }
}
