import { Buffer, isUtf8 } from 'node:buffer';
import { parseExactJsonText } from '../../core/parse-json-text.ts';
import { shortened } from '../../core/shortened.ts';
import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';
import { LargeValues, endOfText, type Extent } from './large-values.ts';

/** A body of this size is parsed at once. */
const wholeBytes = 512 * 1024;
/** What is larger inside a larger body is cut. */
const largeBytes = 128 * 1024;
/** Small elements of a large array are parsed together. */
const groupBytes = 64 * 1024;
/** A message has no more commas, braces and brackets than so many for each of its values. */
const tokensPerValue = 8;

const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const quote = 0x22;
const comma = 0x2c;
const colon = 0x3a;

/** A value that is not parsed yet, because that would take too long. */
export class LargeValue {
  readonly start: number;
  readonly end: number;
  readonly tokens: number;

  constructor(start: number, { end, tokens }: Extent) {
    this.start = start;
    this.end = end;
    this.tokens = tokens;
  }
}

/** Fields by their keys. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** A JSON text that is parsed in pieces where it is large; beside it no more than a piece is in memory. Throws an `OtlpFault`. */
export class JsonBody {
  readonly #body: Buffer;
  #extents: ReadonlyMap<number, Extent> = new Map();

  constructor(body: Uint8Array) {
    this.#body = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  }

  /** The whole of it. */
  *root(): Generator<void, unknown> {
    const body = this.#body;
    if (!isUtf8(body)) throw new OtlpFault('It is no valid JSON: it is not UTF-8.');
    this.#extents = yield* new LargeValues(body, body.length > wholeBytes ? largeBytes : body.length).read();
    const start = this.#skipBlanks(0);
    const extent = this.#extents.get(start);
    if (body.length <= wholeBytes) return this.#parse(0, body.length);
    const end = extent?.end ?? this.#endOfValue(start);
    if (this.#skipBlanks(end) < body.length) this.#fail(end);
    return extent === undefined ? this.#parse(start, end) : new LargeValue(start, extent);
  }

  isArray(value: LargeValue): boolean {
    return this.#body[value.start] === openBracket;
  }

  isObject(value: LargeValue): boolean {
    return this.#body[value.start] === openBrace;
  }

  /** A large value as one; no text of some megabytes is short of time, but what is made of many values is. */
  whole(value: LargeValue): unknown {
    if (value.tokens > tokensPerValue * otlpLimits.valuesPerRecord)
      throw new OtlpFault(`What begins at byte ${value.start} holds more than ${otlpLimits.valuesPerRecord} values.`);
    return this.#parse(value.start, value.end);
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
      const extent = this.#extents.get(at);
      const end = extent?.end ?? this.#endOfValue(at);
      yield [key, extent === undefined ? this.#parse(at, end) : new LargeValue(at, extent)];
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
      const extent = this.#extents.get(at);
      const end = extent?.end ?? this.#endOfGroup(at);
      yield extent === undefined ? this.#parseGroup(at, end) : [new LargeValue(at, extent)];
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
      if (this.#extents.has(start)) break;
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

  #parse(start: number, end: number): unknown {
    return this.#parseText(this.#body.toString('utf8', start, end), start, end);
  }

  #parseGroup(start: number, end: number): readonly unknown[] {
    return this.#parseText(`[${this.#body.toString('utf8', start, end)}]`, start, end) as readonly unknown[];
  }

  #parseText(text: string, start: number, end: number): unknown {
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
    return at;
  }
}

function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}
