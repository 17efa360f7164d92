/** No line is taken for slower than so many times what is assumed at first. */
const most = 64;

/**
 * How much longer than assumed tries of one kind may take. A try that runs out of its time may have lost its answer, or the line
 * may be slow: the next one has twice as long. An answer tells what is enough.
 */
export class Patience {
  #factor = 1;

  /** How long a try may take that is assumed to take `assumedMs`. */
  limitMs(assumedMs: number): number {
    return assumedMs * this.#factor;
  }

  /** A try ran out of `limitMs`; tries that ran side by side tell the same once. */
  expired(assumedMs: number, limitMs: number): void {
    this.#factor = Math.min(most, Math.max(this.#factor, (2 * limitMs) / assumedMs));
  }

  answered(assumedMs: number, tookMs: number): void {
    this.#factor = Math.min(most, Math.max(1, (2 * tookMs) / assumedMs));
  }
}
