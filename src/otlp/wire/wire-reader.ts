import { isUtf8 } from 'node:buffer';
import { PbfReader } from 'pbf';
import { otlpLimits } from '../otlp-limits.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { WireBytes, type Bytes } from './wire-bytes.ts';
import { WireText, type Text } from './wire-text.ts';

/** A 64-bit integer: a number where that is exact. */
export type Int64 = number | bigint;

const varint = 0;
const fixed64 = 1;
const bytes = 2;
const fixed32 = 5;

/** Bits of a text that any of its bytes sets. */
const escaped = 1;
const wide = 2;
const bitsOf = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (byte >= 0x80) return wide;
  return byte < 0x20 || byte === 0x22 || byte === 0x5c ? escaped : 0;
});

/**
 * Reads protobuf with pbf, and checks what pbf takes on trust: that nothing reaches over the end of what it is in, that
 * fields have the type of their definition, that messages are not nested or repeated without end. Integers of 64 bits are exact.
 * Throws an `OtlpFault` for a body that breaks one of these.
 */
export class WireReader extends PbfReader {
  #depth = 0;
  #values = 0;

  constructor(body: Uint8Array) {
    const { buffer, byteOffset, length } = body;
    // Parts of a plain array are made in half the time of those of a Buffer.
    super(new Uint8Array(buffer, byteOffset, length));
  }

  /** Goes to a place, where a message begins. */
  seek(at: number): void {
    this.pos = at;
    this._valueStart = -1;
    this.#depth = 0;
    this.#values = 0;
  }

  override nextField(end: number = this.length): number {
    if (this.pos === this._valueStart) this.skip(this.type);
    if (this.pos >= end) {
      if (this.pos > end) throw cut(this.pos);
      this.#depth -= 1;
      return 0;
    }
    const at = this.pos;
    const tag = this.#number();
    if (tag < 8 || tag > 0xffff_ffff) throw broken(at, 'a field has no valid number');
    this.type = tag & 7;
    this._valueStart = this.pos;
    return tag >>> 3;
  }

  override skip(type: number): void {
    if (type === varint) this.#varint64(false);
    else if (type === bytes) this.pos = this.#end();
    else if (type === fixed32) this.pos += 4;
    else if (type === fixed64) this.pos += 8;
    else throw broken(this.pos, `a field has the type ${type}, which is none`);
  }

  /** The end of a message that begins here. */
  readMessageEnd(): number {
    this.#want(bytes);
    this.#depth += 1;
    if (this.#depth > otlpLimits.nesting)
      throw new OtlpFault(`It is nested deeper than ${otlpLimits.nesting} messages.`);
    this.#count(1);
    return this.#end();
  }

  /** Where the content of a message begins whose length is here. */
  readMessageStart(): number {
    this.#want(bytes);
    this.#end();
    return this.pos;
  }

  /** A signed integer of 32 bits as a varint; of a longer one the low bits, as protobuf has it. An enum is one. */
  readInt32(): number {
    this.#want(varint);
    return this.#number(true) | 0;
  }

  /** An unsigned integer of 32 bits in the same way. */
  readUint32(): number {
    this.#want(varint);
    return this.#number() >>> 0;
  }

  override readSVarint(): number {
    this.#want(varint);
    return super.readSVarint();
  }

  override readBoolean(): boolean {
    this.#want(varint);
    return super.readBoolean();
  }

  /** A signed integer as a varint. */
  readVarint64(): Int64 {
    this.#want(varint);
    return this.#varint64(true);
  }

  /** An unsigned integer of eight bytes. */
  readUint64(): Int64 {
    this.#want(fixed64);
    return this.#uint64();
  }

  /** A signed integer of eight bytes. */
  readInt64(): Int64 {
    this.#want(fixed64);
    const at = this.#take(8);
    return narrow(this.dataView.getBigInt64(at, true));
  }

  override readFixed32(): number {
    this.#want(fixed32);
    return this.dataView.getUint32(this.#take(4), true);
  }

  override readDouble(): number {
    this.#want(fixed64);
    return this.dataView.getFloat64(this.#take(8), true);
  }

  /** A text, which must be UTF-8; `field` is what it is of. */
  readText(field: string): Text {
    this.#want(bytes);
    const end = this.#end();
    const start = this.pos;
    this.pos = end;
    if (start === end) return '';
    const body = this.buf;
    let bits = 0;
    for (let at = start; at < end; at += 1) bits |= bitsOf[body[at] as number] as number;
    if ((bits & wide) !== 0 && !isUtf8(body.subarray(start, end)))
      throw new OtlpFault(`${field}: the text that begins at byte ${start} is not UTF-8.`);
    return new WireText(this.dataView, { start, end, isPlain: (bits & escaped) === 0 });
  }

  /** Bytes, where they are. */
  readContent(): Bytes {
    this.#want(bytes);
    const end = this.#end();
    const start = this.pos;
    this.pos = end;
    return new WireBytes(this.dataView, start, end - start);
  }

  override readPackedDouble(list: number[] = []): number[] {
    for (const end = this.#packedEnd(fixed64, 8); this.pos < end;)
      list.push(this.dataView.getFloat64(this.#take(8), true));
    return list;
  }

  /** Unsigned integers of eight bytes. */
  readPackedUint64(list: Int64[]): Int64[] {
    for (const end = this.#packedEnd(fixed64, 8); this.pos < end;) list.push(this.#uint64());
    return list;
  }

  /** Unsigned integers as varints. */
  readPackedVarint64(list: Int64[]): Int64[] {
    for (const end = this.#packedEnd(varint, 1); this.pos < end;) {
      this.#count(1);
      list.push(this.#varint64(false));
    }
    return list;
  }

  /** Pbf throws an error of its own for a number of more than ten bytes. */
  override readVarint(isSigned?: boolean): number {
    const at = this.pos;
    try {
      return super.readVarint(isSigned);
    } catch {
      throw broken(at, 'a number does not end');
    }
  }

  #number(isSigned?: boolean): number {
    const value = this.readVarint(isSigned);
    if (this.pos > this.length) throw cut(this.pos);
    return value;
  }

  #uint64(): Int64 {
    const at = this.#take(8);
    const high = this.dataView.getUint32(at + 4, true);
    // 2^53 and more.
    if (high >= 0x20_0000) return this.dataView.getBigUint64(at, true);
    return high * 0x1_0000_0000 + this.dataView.getUint32(at, true);
  }

  #varint64(isSigned: boolean): Int64 {
    const at = this.pos;
    const value = this.#number(isSigned);
    if (value <= Number.MAX_SAFE_INTEGER && value >= Number.MIN_SAFE_INTEGER) return value;
    let wide = 0n;
    for (let place = this.pos - 1; place >= at; place -= 1) wide = (wide << 7n) | BigInt((this.buf[place] ?? 0) & 0x7f);
    return isSigned ? BigInt.asIntN(64, wide) : BigInt.asUintN(64, wide);
  }

  /** Where a list of numbers ends; one that is not packed is a number alone. `least`: bytes that a number takes. */
  #packedEnd(single: number, least: number): number {
    if (this.type === single) {
      this.#count(1);
      return this.pos + least;
    }
    this.#want(bytes);
    const end = this.#end();
    if (least > 1) this.#count((end - this.pos) / least);
    return end;
  }

  #want(type: number): void {
    if (this.type !== type) throw broken(this._valueStart, `a field has the type ${this.type}, not ${type}`);
  }

  #end(): number {
    const length = this.#number();
    const end = this.pos + length;
    if (!(end <= this.length)) throw cut(end);
    return end;
  }

  #take(length: number): number {
    const at = this.pos;
    this.pos += length;
    if (this.pos > this.length) throw cut(this.pos);
    return at;
  }

  #count(values: number): void {
    this.#values += values;
    if (this.#values > otlpLimits.valuesPerRecord)
      throw new OtlpFault(`One record holds more than ${otlpLimits.valuesPerRecord} values.`);
  }
}

function narrow(value: bigint): Int64 {
  const number = Number(value);
  return Number.isSafeInteger(number) ? number : value;
}

function cut(at: number): OtlpFault {
  return new OtlpFault(`It is cut or broken: something leads to byte ${at}, over the end of what it is in.`);
}

function broken(at: number, why: string): OtlpFault {
  return new OtlpFault(`It is not protobuf of this kind: ${why}, at byte ${at}.`);
}
