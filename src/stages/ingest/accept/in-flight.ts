import type { SharedSum } from '../../../core/shared-sum.ts';

/** The same of the threads that have it together. */
export type HeldTogether = Pick<SharedSum, 'others'> & { set(part: number): unknown };

/** What threads tell each other of what they hold is in these bytes, rounded up. */
const toldBytes = 1024;

/**
 * Bytes of requests that are in memory: being received, not yet in the log, or with an answer that is not sent yet. The bound is that of
 * all threads that take events.
 */
export class InFlight {
  readonly #maxBytes: number;
  readonly #together: HeldTogether | undefined;
  #bytes = 0;

  /** `together`: with the other threads; absent: there are none. */
  constructor(maxBytes: number, together?: HeldTogether) {
    this.#maxBytes = maxBytes;
    this.#together = together;
  }

  /** Of this thread. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether so many bytes more would fit now. */
  fits(bytes: number): boolean {
    return this.#all + bytes <= this.#maxBytes;
  }

  /** Whether so many bytes would fit if nothing else were there. */
  couldFit(bytes: number): boolean {
    return bytes <= this.#maxBytes;
  }

  /** Counts bytes, or refuses them. */
  add(bytes: number): boolean {
    // Told before it is looked at, so that of two threads never both take the last room.
    this.count(bytes);
    if (!this.isOver) return true;
    this.remove(bytes);
    return false;
  }

  /** Counts bytes that are there already, however many. */
  count(bytes: number): void {
    this.#bytes += bytes;
    this.#together?.set(Math.ceil(this.#bytes / toldBytes));
  }

  /** More is counted than there should be. */
  get isOver(): boolean {
    return this.#all > this.#maxBytes;
  }

  remove(bytes: number): void {
    this.count(-bytes);
  }

  get #all(): number {
    return this.#together === undefined ? this.#bytes : this.#bytes + this.#together.others * toldBytes;
  }
}
