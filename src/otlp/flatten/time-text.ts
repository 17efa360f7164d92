import { Buffer } from 'node:buffer';
import type { Int64 } from '../wire/wire-reader.ts';
import { viewOf, type JsonWriter } from './json-writer.ts';

const nanosPerSecond = 1_000_000_000;
const zero = 0x30;
const point = 0x2e;
const letterZ = 0x5a;
const quote = 0x22;

const secondLength = '2024-01-15T10:30:00'.length;
const fractionDigits = 9;

/** A time that is written in both forms. It keeps the last one: records come in the order of time, and points share theirs. */
export class TimeText {
  #nanos: Int64 = 0;
  #second = 0;
  /** Nanoseconds of the second. */
  #rest = 0;
  #writtenSecond = Number.NaN;
  readonly #text = Buffer.alloc(secondLength + 1 + fractionDigits + 1);
  readonly #textView = viewOf(this.#text);
  #textLength = 0;
  readonly #digits = Buffer.alloc(20);
  readonly #digitsView = viewOf(this.#digits);
  #secondDigits = 0;

  /** Nanoseconds since the epoch, without a sign; 0 says that there is no time. */
  set(nanos: Int64): void {
    if (nanos === this.#nanos) return;
    this.#nanos = nanos;
    if (typeof nanos === 'bigint') this.#setWide(nanos);
    else {
      this.#second = Math.floor(nanos / nanosPerSecond);
      this.#rest = nanos - this.#second * nanosPerSecond;
    }
    if (this.#second !== this.#writtenSecond) this.#writeSecond();
    this.#writeRest();
  }

  get isNone(): boolean {
    return this.#nanos === 0;
  }

  /** RFC 3339 in UTC between the quotes, with as many digits of the second as it needs (3.5); nothing where there is no time. */
  write(out: JsonWriter): void {
    if (!this.isNone) out.part(this.#textView, this.#textLength);
  }

  /** The nanoseconds as digits. */
  writeNanos(out: JsonWriter): void {
    if (this.#second === 0) out.integer(this.#rest);
    else out.part(this.#digitsView, this.#secondDigits + fractionDigits);
  }

  /** How many nanoseconds later another one is. */
  nanosTo(other: TimeText): Int64 {
    const nanos = (other.#second - this.#second) * nanosPerSecond + other.#rest - this.#rest;
    return Number.isSafeInteger(nanos) ? nanos : BigInt(other.#nanos) - BigInt(this.#nanos);
  }

  /** Divides with numbers, which is quicker. What `Number` rounds off is less than a second, and its last 32 bits are known. */
  #setWide(nanos: bigint): void {
    const second = Math.floor(Number(nanos) / nanosPerSecond);
    const low = Number(BigInt.asUintN(32, nanos));
    const rest = (low - Math.imul(second, nanosPerSecond)) | 0;
    const carry = Math.floor(rest / nanosPerSecond);
    this.#second = second + carry;
    this.#rest = rest - carry * nanosPerSecond;
  }

  #writeSecond(): void {
    this.#writtenSecond = this.#second;
    this.#text.write(new Date(this.#second * 1000).toISOString().slice(0, secondLength), 'latin1');
    this.#secondDigits = this.#digits.write(String(this.#second), 'latin1');
  }

  #writeRest(): void {
    const [text, digits] = [this.#text, this.#digits];
    let significant = 0;
    let rest = this.#rest;
    for (let place = fractionDigits; place > 0; place -= 1) {
      const tenth = (rest / 10) >>> 0;
      const digit = rest - 10 * tenth;
      if (digit !== 0 && significant === 0) significant = place;
      digits[this.#secondDigits + place - 1] = zero + digit;
      text[secondLength + place] = zero + digit;
      rest = tenth;
    }
    text[secondLength] = point;
    const end = significant === 0 ? secondLength : secondLength + 1 + significant;
    text[end] = letterZ;
    this.#textLength = end + 1;
  }
}

/** A field behind others that has the nanoseconds as digits; left out where there is no time. */
export function nanosField(out: JsonWriter, key: Uint8Array, time: TimeText): void {
  if (time.isNone) return;
  out.constant(key);
  time.writeNanos(out);
  out.byte(quote);
}
