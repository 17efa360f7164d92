import type { Buffer } from 'node:buffer';
import { parseJsonText } from '../../../core/parse-json-text.ts';

const none: readonly string[] = [];
const quote = 0x22;
const backslash = 0x5c;
/** `["` before the first string, `","` between two. */
const [toFirst, toNext] = [2, 3];

/**
 * Reads the headers of the records of one batch: JSON arrays of strings. Those of one request have all but their first header in common,
 * the id, so what stands behind it is parsed once for records whose bytes are the same there.
 */
export class StoredHeaders {
  readonly #batch: Buffer;
  /** Where what was parsed last begins behind its first header, and where it ends. */
  #start = 0;
  #end = 0;
  #rest: readonly string[] = none;

  constructor(batch: Buffer) {
    this.#batch = batch;
  }

  /** The headers whose JSON has these bytes of the batch. */
  read(start: number, end: number): readonly string[] {
    if (start === end) return none;
    const batch = this.#batch;
    const nameEnd = this.#endOfPlain(start + toFirst, end);
    const valueEnd = nameEnd < 0 ? -1 : this.#endOfPlain(nameEnd + toNext, end);
    if (valueEnd < 0) return this.#parse(start, end);
    if (batch.compare(batch, this.#start, this.#end, valueEnd, end) !== 0) {
      const headers = this.#parse(start, end);
      this.#start = valueEnd;
      this.#end = end;
      this.#rest = headers.slice(2);
      return headers;
    }
    const name = batch.toString('utf8', start + toFirst, nameEnd);
    const value = batch.toString('utf8', nameEnd + toNext, valueEnd);
    return [name, value, ...this.#rest];
  }

  /** Where the string ends that begins at `from`; -1 where it has an escape, or there is none. */
  #endOfPlain(from: number, end: number): number {
    const batch = this.#batch;
    for (let at = from; at < end; at += 1) {
      const byte = batch[at];
      if (byte === quote) return at;
      if (byte === backslash) return -1;
    }
    return -1;
  }

  #parse(start: number, end: number): readonly string[] {
    return parseJsonText(this.#batch.toString('utf8', start, end)) as string[];
  }
}
