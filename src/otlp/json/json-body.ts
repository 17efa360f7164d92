import { Buffer, isUtf8 } from 'node:buffer';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import { shortened } from '../../core/shortened.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { LargeValues, endOfText } from './large-values.ts';

/** What is larger is cut, and a body that is not is parsed at once. */
const largeBytes = 128 * 1024;
/** Small elements of a large array are parsed together, and so much of a large text. */
const groupBytes = 64 * 1024;

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;
const backslash = 0x5c;
const letterU = 0x75;

/** A value that is not parsed yet, because that would take too long. */
export class LargeValue {
  readonly start: number;
  readonly end: number;

  constructor(start: number, end: number) {
    this.start = start;
    this.end = end;
  }
}

/** Fields by their keys. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON text that is parsed in pieces where it is large; beside it no more than a piece is in memory. Throws an `OtlpFault`. */
export class JsonBody {
  readonly #body: Buffer;
  #ends: ReadonlyMap<number, number> = new Map();
  #work = 0;
  #nextStep = groupBytes;

  constructor(body: Uint8Array) {
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  }

  /** How many bytes were parsed and skipped. */
  get work(): number {
    return this.#work;
  }

  /** The whole of it. */
  *root(): Generator<void, unknown> {
    const body = this.#body;
    if (!isUtf8(body)) throw new OtlpFault('It is no valid JSON: it is not UTF-8.');
    this.#ends = yield* new LargeValues(body, largeBytes).read();
    if (body.length <= largeBytes) return this.#parse(0, body.length);
    const start = this.#skipBlanks(0);
    const end = this.#ends.get(start) ?? this.#endOfValue(start);
    if (this.#skipBlanks(end) < body.length) this.#fail(end);
    return this.#value(start, end);
  }

  isArray(value: LargeValue): boolean {
    return this.#body[value.start] === openBracket;
  }

  isObject(value: LargeValue): boolean {
    return this.#body[value.start] === openBrace;
  }

  /** What a fault says of a large value: what it is, or how it begins. */
  sample(value: LargeValue): unknown {
    if (this.isArray(value)) return [];
    return this.isObject(value) ? {} : this.#body.toString('utf8', value.start + 1, value.start + 1 + groupBytes);
  }

  /** A large object with those of its fields that are wanted, the large ones as `LargeValue`; others are checked. In steps. */
  *object(object: LargeValue, isWanted: (key: string) => boolean): Generator<void, JsonObject> {
    // Without a prototype "__proto__" is a key as others.
    const wanted = Object.create(null) as Record<string, unknown>;
    for (const [key, field] of this.fields(object)) {
      if (isWanted(key)) wanted[key] = field;
      else if (field instanceof LargeValue) yield* this.check(field);
      if (this.#isDue()) yield;
    }
    return wanted;
  }

  /** A large text, in steps. */
  *text(text: LargeValue): Generator<void, string> {
    const last = text.end - 1;
    let read = '';
    for (let at = text.start + 1; at < last;) {
      const end = Math.min(last, this.#endOfPiece(at, last));
      read += this.#parseText(`"${this.#body.toString('utf8', at, end)}"`, at, end) as string;
      at = end;
      if (this.#isDue()) yield;
    }
    return read;
  }

  /** Throws where a large value is no valid JSON. In steps. */
  *check(value: LargeValue): Generator<void, void> {
    if (this.isObject(value)) yield* this.object(value, () => false);
    else if (!this.isArray(value)) yield* this.text(value);
    else
      for (const [first] of this.elements(value)) {
        if (first instanceof LargeValue) yield* this.check(first);
        if (this.#isDue()) yield;
      }
  }

  /** The fields of a large object one by one, those that are large as `LargeValue`. */
  *fields(object: LargeValue): Generator<readonly [key: string, value: unknown], void> {
    let at = this.#skipBlanks(object.start + 1);
    if (this.#body[at] === closeBrace) return this.#expectEnd(at, object);
    for (;;) {
      this.#expect(at, quote);
      const keyEnd = this.#endOfValue(at);
      const key = this.#parse(at, keyEnd) as string;
      at = this.#skipBlanks(keyEnd);
      this.#expect(at, colon);
      at = this.#skipBlanks(at + 1);
      const end = this.#ends.get(at) ?? this.#endOfValue(at);
      yield [key, this.#value(at, end)];
      at = this.#skipBlanks(end);
      if (this.#body[at] === closeBrace) return this.#expectEnd(at, object);
      this.#expect(at, comma);
      at = this.#skipBlanks(at + 1);
    }
  }

  /** The elements of a large array in groups of some kilobytes; a large one is a group of its own, as a `LargeValue`. */
  *elements(array: LargeValue): Generator<readonly unknown[], void> {
    let at = this.#skipBlanks(array.start + 1);
    if (this.#body[at] === closeBracket) return this.#expectEnd(at, array);
    for (;;) {
      const end = this.#ends.get(at) ?? this.#endOfGroup(at);
      yield this.#ends.has(at) ? [new LargeValue(at, end)] : this.#parseGroup(at, end);
      at = this.#skipBlanks(end);
      if (this.#body[at] === closeBracket) return this.#expectEnd(at, array);
      this.#expect(at, comma);
      at = this.#skipBlanks(at + 1);
    }
  }

  /** Where the last element ends that is parsed together with the one that begins at `from`. */
  #endOfGroup(from: number): number {
    let end = this.#endOfValue(from);
    while (end - from < groupBytes) {
      const at = this.#skipBlanks(end);
      if (this.#body[at] !== comma) break;
      const start = this.#skipBlanks(at + 1);
      if (this.#ends.has(start)) break;
      end = this.#endOfValue(start);
    }
    return end;
  }

  /** Where a value ends that is not large, as far as brackets and strings tell. */
  #endOfValue(from: number): number {
    const body = this.#body;
    const to = Math.min(body.length, from + largeBytes + 1);
    let depth = 0;
    let at = from;
    for (; at < to; at += 1) {
      const byte = body[at];
      if (byte === quote) {
        at = endOfText(body, at + 1, to);
        if (depth === 0) return at < to ? at + 1 : this.#fail(from);
      } else if (byte === openBracket || byte === openBrace) depth += 1;
      else if (byte === closeBracket || byte === closeBrace) {
        if (depth === 0) break;
        depth -= 1;
        if (depth === 0) return at + 1;
      } else if (depth === 0 && (byte === comma || byte === colon || isBlank(byte))) break;
    }
    if (at >= to || at === from) this.#fail(at);
    return at;
  }

  /** Where a piece of a text ends that begins at `from`: behind a character, and behind an escape. */
  #endOfPiece(from: number, last: number): number {
    const body = this.#body;
    const to = Math.min(last, from + groupBytes);
    let at = from;
    while (at < to) {
      if (body[at] !== backslash) at += 1;
      else at += body[at + 1] === letterU ? 6 : 2;
    }
    while (isContinuation(body[at])) at += 1;
    return at;
  }

  #value(start: number, end: number): unknown {
    return this.#ends.has(start) ? new LargeValue(start, end) : this.#parse(start, end);
  }

  #parse(start: number, end: number): unknown {
    return this.#parseText(this.#body.toString('utf8', start, end), start, end);
  }

  #parseGroup(start: number, end: number): readonly unknown[] {
    return this.#parseText(`[${this.#body.toString('utf8', start, end)}]`, start, end) as readonly unknown[];
  }

  #parseText(text: string, start: number, end: number): unknown {
    this.#work += end - start;
    try {
      return parseExactJsonText(text);
    } catch (error) {
      const isWhole = start === 0 && end === this.#body.length;
      const place = isWhole ? '' : ` between the bytes ${start} and ${end}`;
      throw new OtlpFault(`It is no valid JSON${place}: ${shortened((error as Error).message, 200)}.`, {
        cause: error,
      });
    }
  }

  #expect(at: number, byte: number): void {
    if (this.#body[at] !== byte) this.#fail(at);
  }

  #expectEnd(at: number, { end }: LargeValue): void {
    if (at + 1 !== end) this.#fail(at);
  }

  #fail(at: number): never {
    throw new OtlpFault(`It is no valid JSON: unexpected byte at ${at}.`);
  }

  #skipBlanks(from: number): number {
    let at = from;
    while (isBlank(this.#body[at])) at += 1;
    this.#work += at - from;
    return at;
  }

  #isDue(): boolean {
    if (this.#work < this.#nextStep) return false;
    this.#nextStep = this.#work + groupBytes;
    return true;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Of a character of UTF-8, a byte that is not its first. */
function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte < 0xc0;
}
