import { Buffer } from 'node:buffer';
import type { Int64 } from '../wire/wire-reader.ts';
import type { Text } from '../wire/wire-text.ts';

/** What is written as it is. */
export function constant(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text));
}

/** The same bytes, for `part`. */
export function viewOf({ buffer, byteOffset, length }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, length);
}

/** Thrown where a text becomes larger than its writer allows. */
export const tooLarge = new Error('The text is larger than its writer allows.');

/** The first piece of memory, and the largest of those that follow; a text that needs more gets one of its own. */
const firstBytes = 2048;
const mostBytes = 64 * 1024;

/** So many bytes are copied in less time than a call takes that copies them: in words, and as characters of a string. */
const fewBytes = 256;
const fewCharacters = 28;

const quote = 0x22;
const minus = 0x2d;
const colon = 0x3a;
const zero = 0x30;
const point = 0x2e;

/** By byte: how it stands in a string of JSON, where that is not as it is. */
const escapes: readonly (DataView | undefined)[] = Array.from({ length: 256 }, (_, byte) => {
  const text = JSON.stringify(String.fromCharCode(byte)).slice(1, -1);
  return text.length > 1 ? viewOf(constant(text)) : undefined;
});
const longestEscape = 6;

/** By byte: its two digits. */
const hexadecimal = Uint16Array.from({ length: 256 }, (_, byte) =>
  Buffer.from(Buffer.of(byte).toString('hex')).readUInt16BE(),
);

/** What of a string has an escape: quotes, backslashes, control characters, and halves of pairs. */
const special = /["\\]|[^\u0020-\ud7ff\ue000-\uffff]/;

/** Writes JSON texts as bytes, one behind the other into memory that they share. */
export class JsonWriter {
  readonly #mostPerText: number;
  #buffer = Buffer.alloc(0);
  #view = viewOf(this.#buffer);
  #pieceBytes = firstBytes;
  #start = 0;
  #at = 0;

  /** Stops with `tooLarge` in a text that becomes larger than so many bytes, sooner or later. */
  constructor(mostPerText = Number.POSITIVE_INFINITY) {
    this.#mostPerText = mostPerText;
  }

  /** What was written since the last one; `undefined` where that is more than is allowed. */
  finish(): Buffer | undefined {
    const text = this.#buffer.subarray(this.#start, this.#at);
    this.#start = this.#at;
    return text.length > this.#mostPerText ? undefined : text;
  }

  /** Takes back what was written since the last text. */
  discard(): void {
    this.#at = this.#start;
  }

  constant(bytes: Uint8Array): void {
    const at = this.#at;
    if (at + bytes.length > this.#buffer.length) {
      this.#refuse(bytes.length);
      this.#grow(bytes.length);
      this.constant(bytes);
      return;
    }
    this.#buffer.set(bytes, at);
    this.#at = at + bytes.length;
  }

  /** The first bytes of some. */
  part(bytes: DataView, length: number): void {
    this.#need(length);
    this.#copy(bytes, 0, length);
  }

  /** Bytes as hexadecimal digits. */
  hex(bytes: DataView, start: number, length: number): void {
    this.#need(2 * length);
    const to = this.#view;
    for (let at = 0; at < length; at += 1)
      to.setUint16(this.#at + 2 * at, hexadecimal[bytes.getUint8(start + at)] as number);
    this.#at += 2 * length;
  }

  byte(byte: number): void {
    this.#need(1);
    this.#put(byte);
  }

  /** A string. */
  text(text: Text): void {
    if (typeof text === 'string') {
      this.#string(text);
      return;
    }
    const { body, start, end, isPlain } = text;
    this.#refuse(end - start);
    this.#need((isPlain ? end - start : longestEscape * (end - start)) + 2);
    this.#put(quote);
    if (isPlain) this.#copy(body, start, end);
    else this.#escape(body, start, end);
    this.#put(quote);
  }

  /** A key of an object and its colon. */
  key(text: Text): void {
    this.text(text);
    this.byte(colon);
  }

  /** An integer. */
  integer(value: Int64): void {
    if (typeof value === 'bigint' || value > 0xffff_ffff || value < -0xffff_ffff) {
      this.ascii(String(value));
      return;
    }
    this.#need(11);
    if (value < 0) this.#put(minus);
    this.#digits(Math.abs(value));
  }

  /** A number; NaN and the infinities, which JSON has no numbers for, as strings. */
  double(value: number): void {
    if (Number.isSafeInteger(value)) this.integer(value);
    else if (!this.#shortDecimal(value)) this.ascii(Number.isFinite(value) ? String(value) : `"${value}"`);
  }

  /** Characters below 0x80, as they are. */
  ascii(text: string): void {
    this.#refuse(text.length);
    this.#need(text.length);
    this.#at += this.#buffer.write(text, this.#at, 'latin1');
  }

  /** Writes a number below a million that has at most three decimals, as measured values have; for any other it answers false. */
  #shortDecimal(value: number): boolean {
    const size = Math.abs(value);
    const thousandths = Math.round(size * 1000);
    // A number of nine digits is told by them: where the quotient is the number, its decimals are the shortest text of it.
    if (thousandths >= 1e9 || thousandths / 1000 !== size) return false;
    const whole = (thousandths / 1000) >>> 0;
    this.#need(12);
    if (value < 0) this.#put(minus);
    this.#digits(whole);
    this.#put(point);
    let rest = thousandths - 1000 * whole;
    for (let unit = 100; rest > 0; unit /= 10) {
      const digit = (rest / unit) >>> 0;
      this.#put(zero + digit);
      rest -= unit * digit;
    }
    return true;
  }

  #string(text: string): void {
    const { length } = text;
    this.#refuse(length);
    if (length <= fewCharacters && this.#shortString(text)) return;
    if (special.test(text)) {
      this.#utf8(JSON.stringify(text));
      return;
    }
    this.byte(quote);
    this.#utf8(text);
    this.byte(quote);
  }

  /** False, and nothing is written, where it is more than copying. */
  #shortString(text: string): boolean {
    this.#need(fewCharacters + 2);
    const buffer = this.#buffer;
    let at = this.#at;
    buffer[at] = quote;
    for (let place = 0; place < text.length; place += 1) {
      const code = text.charCodeAt(place);
      if (code >= 0x80 || escapes[code] !== undefined) return false;
      at += 1;
      buffer[at] = code;
    }
    buffer[at + 1] = quote;
    this.#at = at + 2;
    return true;
  }

  #utf8(text: string): void {
    this.#need(3 * text.length);
    this.#at += this.#buffer.write(text, this.#at, 'utf8');
  }

  #put(byte: number): void {
    this.#buffer[this.#at] = byte;
    this.#at += 1;
  }

  #copy(from: DataView, start: number, end: number): void {
    const length = end - start;
    const shift = this.#at - start;
    this.#at += length;
    if (length > fewBytes) {
      this.#buffer.set(new Uint8Array(from.buffer, from.byteOffset + start, length), start + shift);
      return;
    }
    const to = this.#view;
    let at = start;
    for (const last = end - 4; at <= last; at += 4) to.setInt32(at + shift, from.getInt32(at));
    for (; at < end; at += 1) to.setInt8(at + shift, from.getInt8(at));
  }

  #escape(from: DataView, start: number, end: number): void {
    let plain = start;
    for (let at = start; at < end; at += 1) {
      const escape = escapes[from.getUint8(at)];
      if (escape === undefined) continue;
      this.#copy(from, plain, at);
      this.#copy(escape, 0, escape.byteLength);
      plain = at + 1;
    }
    this.#copy(from, plain, end);
  }

  /** A whole number that is not negative. */
  #digits(value: number): void {
    const to = this.#buffer;
    const start = this.#at;
    let end = start + 1;
    for (let limit = 10; limit <= value; limit *= 10) end += 1;
    let rest = value;
    for (let at = end - 1; at >= start; at -= 1) {
      const tenth = (rest / 10) >>> 0;
      to[at] = zero + rest - 10 * tenth;
      rest = tenth;
    }
    this.#at = end;
  }

  /** So many bytes alone are too many already. */
  #refuse(bytes: number): void {
    if (bytes > this.#mostPerText) throw tooLarge;
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#buffer.length) this.#grow(bytes);
  }

  #grow(bytes: number): void {
    const used = this.#at - this.#start;
    this.#refuse(used);
    const needed = used + bytes;
    const buffer = Buffer.allocUnsafeSlow(needed > this.#pieceBytes / 2 ? 2 * needed : this.#pieceBytes);
    this.#pieceBytes = Math.min(2 * this.#pieceBytes, mostBytes);
    this.#buffer.copy(buffer, 0, this.#start, this.#at);
    this.#buffer = buffer;
    this.#view = viewOf(buffer);
    this.#start = 0;
    this.#at = used;
  }
}

/** A field that is left out where it is 0. */
export function countField(out: JsonWriter, key: Uint8Array, value: number): void {
  if (value === 0) return;
  out.constant(key);
  out.integer(value);
}

/** A field that is left out where it is empty. */
export function textField(out: JsonWriter, key: Uint8Array, text: Text): void {
  if (text === '') return;
  out.constant(key);
  out.text(text);
}
