/** Bytes of requests that are in memory: being received, not yet in the log, or with an answer that is not sent yet. */
export class InFlight {
  readonly #maxBytes: number;
  #bytes = 0;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  /** Whether so many bytes more would fit now. */
  fits(bytes: number): boolean {
    return this.#bytes + bytes <= this.#maxBytes;
  }

  /** Whether so many bytes would fit if nothing else were there. */
  couldFit(bytes: number): boolean {
    return bytes <= this.#maxBytes;
  }

  /** Counts bytes, or refuses them. */
  add(bytes: number): boolean {
    if (this.#bytes + bytes > this.#maxBytes) return false;
    this.#bytes += bytes;
    return true;
  }

  /** Counts bytes that are there already, however many. */
  count(bytes: number): void {
    this.#bytes += bytes;
  }

  /** More is counted than there should be. */
  get isOver(): boolean {
    return this.#bytes > this.#maxBytes;
  }

  remove(bytes: number): void {
    this.#bytes -= bytes;
  }
}
