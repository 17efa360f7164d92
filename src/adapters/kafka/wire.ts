const firstBytes = 256;

/**
 * Bytes of Kafka's protocol, for the requests that the driver does not know or is slow with. Compact strings and arrays
 * carry their length plus one as an unsigned varint, 0 for null; every structure of a flexible version ends with tagged
 * fields. Record batches use zigzag varints.
 */
export class WireWriter {
  #bytes: Buffer;
  #length = 0;

  constructor(expectedBytes = firstBytes) {
    this.#bytes = Buffer.allocUnsafe(expectedBytes);
  }

  /** Bytes written so far. */
  get length(): number {
    return this.#length;
  }

  int8(value: number): this {
    const at = this.#grow(1);
    this.#bytes.writeInt8(value, at);
    return this;
  }

  int16(value: number): this {
    const at = this.#grow(2);
    this.#bytes.writeInt16BE(value, at);
    return this;
  }

  int32(value: number): this {
    const at = this.#grow(4);
    this.#bytes.writeInt32BE(value, at);
    return this;
  }

  uint32(value: number): this {
    const at = this.#grow(4);
    this.#bytes.writeUInt32BE(value, at);
    return this;
  }

  /** Exact up to 2^53. */
  int64(value: number): this {
    const at = this.#grow(8);
    this.#bytes.writeBigInt64BE(BigInt(value), at);
    return this;
  }

  bigint64(value: bigint): this {
    const at = this.#grow(8);
    this.#bytes.writeBigInt64BE(value, at);
    return this;
  }

  /** Undefined: null. */
  string(value: string | undefined): this {
    return value === undefined ? this.int16(-1) : this.int16(Buffer.byteLength(value)).#text(value);
  }

  compactString(value: string): this {
    return this.compactLength(Buffer.byteLength(value)).#text(value);
  }

  /** Length of a compact array or string; undefined: null. */
  compactLength(length: number | undefined): this {
    return this.#unsignedVarint(length === undefined ? 0 : length + 1);
  }

  /** A zigzag varint; exact up to 2^52. */
  varint(value: number): this {
    return this.#unsignedVarint(value >= 0 ? value * 2 : value * -2 - 1);
  }

  /** Text with its length in bytes as a zigzag varint before it. */
  varintString(value: string): this {
    return this.varint(Buffer.byteLength(value)).#text(value);
  }

  /** As `WireReader.uuid` gives it. */
  uuid(text: string): this {
    return this.raw(Buffer.from(text.replaceAll('-', ''), 'hex'));
  }

  raw(bytes: Uint8Array): this {
    const at = this.#grow(bytes.byteLength);
    this.#bytes.set(bytes, at);
    return this;
  }

  zeros(count: number): this {
    const at = this.#grow(count);
    this.#bytes.fill(0, at, at + count);
    return this;
  }

  noTaggedFields(): this {
    return this.#unsignedVarint(0);
  }

  /** Begins anew in the same memory. */
  clear(): this {
    this.#length = 0;
    return this;
  }

  /** What was written; writing on leaves it as it is. */
  bytes(): Buffer {
    return this.#bytes.subarray(0, this.#length);
  }

  #text(value: string): this {
    const at = this.#grow(Buffer.byteLength(value));
    this.#bytes.write(value, at);
    return this;
  }

  #unsignedVarint(value: number): this {
    let rest = value;
    for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) this.#byte((rest % 0x80) | 0x80);
    return this.#byte(rest);
  }

  #byte(value: number): this {
    const at = this.#grow(1);
    this.#bytes[at] = value;
    return this;
  }

  #grow(count: number): number {
    const at = this.#length;
    this.#length += count;
    if (this.#length > this.#bytes.length) {
      const larger = Buffer.allocUnsafe(Math.max(this.#length, this.#bytes.length * 2));
      this.#bytes.copy(larger, 0, 0, at);
      this.#bytes = larger;
    }
    return at;
  }
}

/** Reads what `WireWriter` describes; bytes that end early throw a RangeError. */
export class WireReader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get left(): number {
    return this.#bytes.length - this.#at;
  }

  /** Where the next byte stands. */
  get position(): number {
    return this.#at;
  }

  /** True when two ranges hold the same bytes; they end where the bytes end at the latest. */
  areAlike(from: number, end: number, other: { readonly from: number; readonly end: number }): boolean {
    const length = end - from;
    if (other.end - other.from !== length || other.end > this.#bytes.length) return false;
    for (let at = 0; at < length; at += 1) if (this.#bytes[from + at] !== this.#bytes[other.from + at]) return false;
    return true;
  }

  skip(count: number): void {
    this.#forward(count);
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

  uint32(): number {
    return this.#bytes.readUInt32BE(this.#forward(4));
  }

  /** Exact up to 2^53. */
  int64(): number {
    const at = this.#forward(8);
    return this.#bytes.readInt32BE(at) * 2 ** 32 + this.#bytes.readUInt32BE(at + 4);
  }

  bigint64(): bigint {
    return this.#bytes.readBigInt64BE(this.#forward(8));
  }

  string(): string {
    return this.take(Math.max(0, this.int16())).toString();
  }

  compactString(): string {
    return this.compactBytes().toString();
  }

  /** A zigzag varint; exact up to 2^52. */
  varint(): number {
    const value = this.#unsignedVarint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** Bytes with their length as a zigzag varint before them; undefined for null. */
  varintBytes(): Buffer | undefined {
    const length = this.varint();
    return length < 0 ? undefined : this.take(length);
  }

  /** The same as text; empty for null. */
  varintText(): string {
    const length = Math.max(0, this.varint());
    const at = this.#forward(length);
    return this.#bytes.toString('utf8', at, at + length);
  }

  uuid(): string {
    return this.take(16)
      .toString('hex')
      .replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  }

  /** Bytes of a compact field; empty for null. */
  compactBytes(): Buffer {
    return this.take(Math.max(0, this.#unsignedVarint() - 1));
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
      this.take(this.#unsignedVarint());
    }
  }

  /** The bytes themselves, not a copy. */
  take(count: number): Buffer {
    const at = this.#forward(count);
    return this.#bytes.subarray(at, at + count);
  }

  #unsignedVarint(): number {
    const first = this.#bytes[this.#forward(1)] ?? 0;
    if (first < 0x80) return first;
    let value = first & 0x7f;
    // Times may have any 64 bits: a producer's clock must not keep its partition from being read.
    for (let scale = 0x80; scale < 2 ** 64; scale *= 0x80) {
      const byte = this.#bytes[this.#forward(1)] ?? 0;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    throw new RangeError('a varint has more than ten bytes');
  }

  #forward(count: number): number {
    const at = this.#at;
    if (count < 0 || at + count > this.#bytes.length) throw new RangeError('the bytes end too early');
    this.#at += count;
    return at;
  }
}
