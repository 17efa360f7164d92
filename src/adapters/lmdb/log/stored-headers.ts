import type { Buffer } from 'node:buffer';
import { MillraceError } from '../../../core/millrace-error.ts';
import { parseJsonText } from '../../../core/parse-json-text.ts';

const none: readonly string[] = [];
const quote = 0x22;
const backslash = 0x5c;
/** Of headers that are those of another record, but for the first value: where those begin and end in the batch. The value follows. */
export const alikeHeader = { start: 0, end: 4, bytes: 8 } as const;

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
  #parsed: readonly string[] = none;
  /** Headers that others refer to, and where they begin. */
  #model: readonly string[] = none;
  #modelStart = -1;
  /** The first header's name, and where it stood. */
  #name = '';
  #nameStart = 0;
  #nameEnd = 0;

  constructor(batch: Buffer) {
    this.#batch = batch;
  }

  /** The headers whose JSON has these bytes of the batch. Nobody may change the list: the next ones may be made of it. */
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
      this.#parsed = headers;
      return headers;
    }
    const alike = this.#parsed.slice();
    alike[0] = this.#nameAt(start + toFirst, nameEnd);
    alike[1] = batch.toString('utf8', nameEnd + toNext, valueEnd);
    return alike;
  }

  /** The headers of a record that has those of an earlier one, but for the value of the first. Nobody may change the list. */
  readAlike(start: number, end: number): readonly string[] {
    const batch = this.#batch;
    const from = batch.readUInt32LE(start + alikeHeader.start);
    if (from !== this.#modelStart) {
      const to = batch.readUInt32LE(start + alikeHeader.end);
      if (from > to || to > start)
        throw new MillraceError('log.unavailable', `a batch is damaged: no headers at ${from}`);
      this.#model = this.read(from, to);
      this.#modelStart = from;
    }
    const headers = this.#model.slice();
    headers[1] = batch.toString('latin1', start + alikeHeader.bytes, end);
    return headers;
  }

  #nameAt(start: number, end: number): string {
    if (!this.#isSameName(start, end)) {
      this.#name = this.#batch.toString('utf8', start, end);
      this.#nameStart = start;
      this.#nameEnd = end;
    }
    return this.#name;
  }

  #isSameName(start: number, end: number): boolean {
    const batch = this.#batch;
    const from = this.#nameStart;
    if (end - start !== this.#nameEnd - from) return false;
    for (let at = 0; at < end - start; at += 1) if (batch[start + at] !== batch[from + at]) return false;
    return true;
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
