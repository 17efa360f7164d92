import { exactText, readExactText } from './exact-text.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { isList, type JsonValue } from '../values/json-value.ts';
import type { AddedValue } from './row-writer.ts';
import type { Spool } from './spool.ts';
import { tablesLimits } from './tables-limits.ts';

/** What the items of a page were read from: it is kept, and read again where that is needed. The same function for all pages of a job. */
export interface ItemSource {
  readonly body: Uint8Array;
  /** Arrays and objects in each other, in the body. */
  readonly depth: number;
  readonly itemsOf: (body: Uint8Array) => readonly JsonValue[];
}

export interface SpooledPage {
  readonly items: readonly JsonValue[];
  readonly added: readonly AddedValue[];
}

const lineEnd = 10;

/** Pages that wait in the spool until it is known what all of them together are. */
export class SpooledPages {
  readonly #spool: Spool;
  readonly #sets = new Map<string, number>();
  readonly #setNames: (readonly string[])[] = [];
  readonly #readers = new Map<ItemSource['itemsOf'], number>();

  constructor(spool: Spool) {
    this.#spool = spool;
  }

  /** Throws an `ExtractorError` when there are too many different ones. */
  setOf(added: readonly AddedValue[]): number {
    const names = added.map(({ name }) => name);
    const key = JSON.stringify(names);
    const known = this.#sets.get(key);
    if (known !== undefined) return known;
    if (this.#setNames.length >= tablesLimits.addedSets) {
      throw new ExtractorError(`The job adds more than ${tablesLimits.addedSets} different sets of columns.`);
    }
    this.#sets.set(key, this.#setNames.length);
    return this.#setNames.push(names) - 1;
  }

  async append(spoolName: string, { items, added }: SpooledPage, source: ItemSource | undefined): Promise<void> {
    const { body, itemsOf } = source ?? { body: Buffer.from(exactText(items)), itemsOf: readItems };
    const reader = this.#readers.get(itemsOf) ?? this.#readers.size;
    this.#readers.set(itemsOf, reader);
    const values = added.map(({ value }) => value);
    await this.#spool.append(spoolName, `${exactText([reader, this.setOf(added), body.length, values])}\n`);
    await this.#spool.append(spoolName, body);
  }

  /** In the order of appending. */
  async *read(spoolName: string): AsyncIterable<SpooledPage> {
    const readers = [...this.#readers.keys()];
    const bytes = new SpooledBytes(this.#spool.read(spoolName));
    for (let line = await bytes.line(); line !== undefined; line = await bytes.line()) {
      const read = readExactText(line.toString());
      const [reader, set, length, values = null] = isList(read) ? read : [];
      const itemsOf = readers[Number(reader)] ?? readItems;
      const names = this.#setNames[Number(set)] ?? [];
      const added = names.map((name, at) => ({ name, value: (isList(values) ? values[at] : null) ?? null }));
      yield { items: itemsOf(await bytes.take(Number(length))), added };
    }
  }
}

function readItems(body: Uint8Array): readonly JsonValue[] {
  const items = readExactText(Buffer.from(body).toString());
  return isList(items) ? items : [];
}

/** Pieces of any length as the lines and lengths that they were. */
class SpooledBytes {
  readonly #pieces: AsyncIterator<Uint8Array>;
  #rest: Buffer = Buffer.alloc(0);

  constructor(pieces: AsyncIterable<Uint8Array>) {
    this.#pieces = pieces[Symbol.asyncIterator]();
  }

  /** Without its end; undefined behind the last one. */
  async line(): Promise<Buffer | undefined> {
    let end = this.#rest.indexOf(lineEnd);
    while (end < 0) {
      const piece = await this.#piece();
      if (piece === undefined) return undefined;
      this.#rest = Buffer.concat([this.#rest, piece]);
      end = this.#rest.indexOf(lineEnd);
    }
    const line = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end + 1);
    return line;
  }

  async take(length: number): Promise<Buffer> {
    const taken = [this.#rest];
    let bytes = this.#rest.length;
    while (bytes < length) {
      const piece = await this.#piece();
      if (piece === undefined) throw new Error('the spool has lost the end of a page');
      taken.push(piece);
      bytes += piece.length;
    }
    const all = taken.length === 1 ? this.#rest : Buffer.concat(taken);
    this.#rest = all.subarray(length);
    return all.subarray(0, length);
  }

  async #piece(): Promise<Buffer | undefined> {
    const read = await this.#pieces.next();
    if (read.done === true) return undefined;
    const { buffer, byteOffset, byteLength } = read.value;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}
