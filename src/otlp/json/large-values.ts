import { Buffer } from 'node:buffer';
import { OtlpFault } from '../otlp-fault.ts';
import { otlpLimits } from '../otlp-limits.ts';

const stepBytes = 1024 * 1024;
const quote = 0x22;
const backslash = 0x5c;
const open = 1;
const close = 2;
const string = 3;
const separator = 4;

/** What a byte outside of strings begins. */
const classes = new Uint8Array(256);
for (const byte of Buffer.from('[{')) classes[byte] = open;
for (const byte of Buffer.from(']}')) classes[byte] = close;
classes[0x2c] = separator;
classes[quote] = string;

/** Deeper than any message that is allowed, each with an object, and each list with an array. */
const nesting = 300;

/**
 * Goes once over a JSON text, whatever stands in it, and notes where its large values end, by where they begin. It knows strings
 * and brackets and no more: what it says of a valid text is right, and whether a text is valid is for those to say who parse it.
 * Texts that are nested without end, and blanks and numbers that are, are refused here.
 */
export class LargeValues {
  readonly #body: Uint8Array;
  readonly #largeBytes: number;
  readonly #ends = new Map<number, number>();
  readonly #starts: number[] = [];
  #stringStart = -1;
  #tokenEnd = 0;
  #at = 0;

  constructor(body: Uint8Array, largeBytes: number) {
    this.#body = body;
    this.#largeBytes = largeBytes;
  }

  *read(): Generator<void, ReadonlyMap<number, number>> {
    while (this.#at < this.#body.length) {
      this.#scan(Math.min(this.#body.length, this.#at + stepBytes));
      if (this.#at < this.#body.length) yield;
    }
    if (this.#starts.length > 0 || this.#stringStart >= 0)
      throw new OtlpFault('It is no valid JSON: it ends too early.');
    return this.#ends;
  }

  #scan(to: number): void {
    const body = this.#body;
    let at = this.#at;
    let tokenEnd = this.#tokenEnd;
    while (at < to) {
      if (this.#stringStart >= 0) {
        at = endOfText(body, at, to);
        if (at >= to) break;
        at += 1;
        this.#note(this.#stringStart, at);
        this.#stringStart = -1;
      } else {
        while (at < to && classes[body[at] as number] === 0) at += 1;
        if (at - tokenEnd > otlpLimits.bytesBetweenTokens)
          throw new OtlpFault(
            `It has more than ${otlpLimits.bytesBetweenTokens} blanks or digits in a row, which no JSON of OTLP needs, from byte ${tokenEnd}.`,
          );
        if (at >= to) break;
        this.#token(at, classes[body[at] as number] as number);
        at += 1;
      }
      tokenEnd = at;
    }
    this.#at = Math.max(at, to);
    this.#tokenEnd = tokenEnd;
  }

  #token(at: number, kind: number): void {
    if (kind === open) {
      if (this.#starts.length === nesting)
        throw new OtlpFault(`It is nested deeper than ${nesting} objects and arrays, at byte ${at}.`);
      this.#starts.push(at);
    } else if (kind === close) {
      const start = this.#starts.pop();
      if (start === undefined) throw new OtlpFault(`It is no valid JSON: unexpected byte at ${at}.`);
      this.#note(start, at + 1);
    } else if (kind === string) this.#stringStart = at;
  }

  #note(start: number, end: number): void {
    if (end - start > this.#largeBytes) this.#ends.set(start, end);
  }
}

/** Where the quote is that ends a text; `to` or behind it where that is not before it. */
export function endOfText(body: Uint8Array, from: number, to: number): number {
  let at = from;
  for (let byte = body[at]; at < to && byte !== quote; byte = body[at]) at += byte === backslash ? 2 : 1;
  return at;
}
