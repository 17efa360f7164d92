/**
 * Bytes of Kafka's protocol, for the few requests that the driver does not know. Compact strings and arrays carry their
 * length plus one as an unsigned varint, 0 for null; every structure of a flexible version ends with tagged fields.
 */
export class WireWriter {
  readonly #parts: Buffer[] = [];

  int8(value: number): this {
    const bytes = Buffer.alloc(1);
    bytes.writeInt8(value);
    return this.#push(bytes);
  }

  int32(value: number): this {
    const bytes = Buffer.alloc(4);
    bytes.writeInt32BE(value);
    return this.#push(bytes);
  }

  string(value: string): this {
    const length = Buffer.alloc(2);
    length.writeInt16BE(Buffer.byteLength(value));
    return this.#push(length).#push(Buffer.from(value));
  }

  compactString(value: string): this {
    return this.compactLength(Buffer.byteLength(value)).#push(Buffer.from(value));
  }

  /** Length of a compact array or string; undefined: null. */
  compactLength(length: number | undefined): this {
    return this.#unsignedVarint(length === undefined ? 0 : length + 1);
  }

  zeros(count: number): this {
    return this.#push(Buffer.alloc(count));
  }

  noTaggedFields(): this {
    return this.#unsignedVarint(0);
  }

  bytes(): Buffer {
    return Buffer.concat(this.#parts);
  }

  #unsignedVarint(value: number): this {
    const bytes: number[] = [];
    let rest = value;
    for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80);
    return this.#push(Buffer.from([...bytes, rest]));
  }

  #push(bytes: Buffer): this {
    this.#parts.push(bytes);
    return this;
  }
}

/** Reads what `WireWriter` describes; a response that ends early throws a RangeError. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  int8(): number {
    return this.#bytes.readInt8(this.#forward(1));
  }

  int16(): number {
    return this.#bytes.readInt16BE(this.#forward(2));
  }

  int32(): number {
    return this.#bytes.readInt32BE(this.#forward(4));
  }

  /** Exact up to 2^53. */
  int64(): number {
    return Number(this.#bytes.readBigInt64BE(this.#forward(8)));
  }

  string(): string {
    return this.#take(Math.max(0, this.int16())).toString();
  }

  compactString(): string {
    return this.#take(Math.max(0, this.#unsignedVarint() - 1)).toString();
  }

  uuid(): string {
    return this.#take(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  array<T>(element: (reader: this) => T): T[] {
    return Array.from({ length: Math.max(0, this.int32()) }, () => element(this));
  }

  compactArray<T>(element: (reader: this) => T): T[] {
    return Array.from({ length: Math.max(0, this.#unsignedVarint() - 1) }, () => element(this));
  }

  skipTaggedFields(): void {
    for (let count = this.#unsignedVarint(); count > 0; count -= 1) {
      this.#unsignedVarint();
      this.#take(this.#unsignedVarint());
    }
  }

  #unsignedVarint(): number {
    let value = 0;
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes.readUInt8(this.#forward(1));
      value += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a varint of the response has more than five bytes');
  }

  #take(count: number): Buffer {
    const at = this.#forward(count);
    return this.#bytes.subarray(at, at + count);
  }

  #forward(count: number): number {
    const at = this.#at;
    if (at + count > this.#bytes.length) throw new RangeError('the response ends too early');
    this.#at += count;
    return at;
  }
}
