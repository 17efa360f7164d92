/**
 * A number that threads have together: each writes its own part of it, and sees those of the others at once. Its parts are what is handed
 * from thread to thread.
 */
export class SharedSum {
  readonly #parts: Int32Array;
  readonly #own: number;

  /** `own`: whose part is written here, of the threads from 0. */
  constructor(parts: SharedArrayBuffer, own: number) {
    this.#parts = new Int32Array(parts);
    this.#own = own;
  }

  /** All of them 0. */
  static parts(threads: number): SharedArrayBuffer {
    return new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT * threads);
  }

  get threads(): number {
    return this.#parts.length;
  }

  /** A whole number below 2³¹. */
  set(part: number): void {
    Atomics.store(this.#parts, this.#own, part);
  }

  /** What the other threads have. */
  get others(): number {
    let sum = 0;
    for (let at = 0; at < this.#parts.length; at += 1) if (at !== this.#own) sum += Atomics.load(this.#parts, at);
    return sum;
  }
}
