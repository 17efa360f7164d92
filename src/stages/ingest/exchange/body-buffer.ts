const smallest = 2048;

/**
 * Gathers the chunks of a body. A body of one chunk is that chunk, without a copy; the rest is copied into one buffer
 * that doubles, so that a body of a million chunks takes no more memory than one of two.
 */
export class BodyBuffer {
  readonly #expectedBytes: number;
  #bytes: Buffer | undefined;
  #length = 0;

  /** `expectedBytes` as the sender declared it, 0 when it did not; it only saves copies. */
  constructor(expectedBytes: number) {
    this.#expectedBytes = expectedBytes;
  }

  get length(): number {
    return this.#length;
  }

  add(chunk: Buffer): void {
    const length = this.#length + chunk.length;
    if (this.#bytes === undefined) {
      this.#bytes = chunk;
    } else {
      if (this.#length === this.#bytes.length || length > this.#bytes.length) this.#grow(length);
      this.#bytes.set(chunk, this.#length);
    }
    this.#length = length;
  }

  /** The whole body; the caller may keep it. */
  take(): Buffer {
    const bytes = this.#bytes ?? Buffer.alloc(0);
    this.#bytes = undefined;
    return bytes.length === this.#length ? bytes : bytes.subarray(0, this.#length);
  }

  #grow(needed: number): void {
    // A large promise is believed only bit by bit: what it takes has to be near to what has arrived.
    const isNear = needed <= this.#expectedBytes && this.#expectedBytes <= 4 * needed;
    const grown = Buffer.allocUnsafeSlow(isNear ? this.#expectedBytes : Math.max(smallest, 2 * needed));
    if (this.#bytes !== undefined) grown.set(this.#bytes.subarray(0, this.#length));
    this.#bytes = grown;
  }
}
