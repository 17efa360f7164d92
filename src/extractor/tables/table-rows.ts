import { limits } from '../../core/limits.ts';
import type { ColumnSource } from './layout.ts';
import { lineOf } from './output-files.ts';
import { relaidRows } from './relaid-rows.ts';
import type { Spool } from './spool.ts';

/** Rows that have the same columns, as lines of CSV. */
interface Segment {
  readonly spoolName: string;
  readonly sources: readonly ColumnSource[];
  /** The bytes of the longest row, and its share of `limits.rowBytes` is worth to know; 0: no row is as long as that. */
  longest: number;
}

const betweenCells = '","';
const betweenRows = '"\n"';

/** In characters. */
const pieceLength = 64 * 1024;

/** A row that has this many characters may be too long for a table, with the columns that it lacks. */
const longLength = Math.floor(limits.rowBytes / 4);

/** The rows of one table, written as CSV when they come: each time the table gets other columns, a segment begins. */
export class TableRows {
  readonly #spool: Spool;
  readonly #spoolName: string;
  readonly #segments: Segment[] = [];
  #count = 0;
  /** Rows of the last segment that are not in the spool yet, without the quotes at their ends. */
  #rows: string[] = [];
  #length = 0;
  /** Cells of a row. */
  #width = 0;

  constructor(spool: Spool, spoolName: string) {
    this.#spool = spool;
    this.#spoolName = spoolName;
  }

  get count(): number {
    return this.#count;
  }

  /** The rows from here on have these columns. Nothing may wait for `flush`. */
  begin(sources: readonly ColumnSource[]): void {
    const last = this.#segments.at(-1);
    if (last !== undefined && areSame(last.sources, sources)) return;
    const spoolName = `${this.#spoolName}.${this.#segments.length}`;
    this.#segments.push({ spoolName, sources, longest: 0 });
  }

  /** Takes a row, its cells as they stand between the quotes of a line. */
  add(cells: readonly string[]): void {
    const row = cells.join(betweenCells);
    this.#width = cells.length;
    this.#count += 1;
    this.#length += row.length;
    this.#rows.push(row);
    if (row.length > longLength) this.#notice(Buffer.byteLength(lineOf(cells)));
  }

  get isFull(): boolean {
    return this.#length >= pieceLength;
  }

  flush(): void | Promise<void> {
    const segment = this.#segments.at(-1);
    if (this.#rows.length === 0 || segment === undefined) return undefined;
    const text = this.#width === 0 ? '\n'.repeat(this.#rows.length) : `"${this.#rows.join(betweenRows)}"\n`;
    this.#rows = [];
    this.#length = 0;
    return this.#spool.append(segment.spoolName, text);
  }

  /** Bytes of the longest row with these columns; 0 where none comes near `limits.rowBytes`. */
  longest(sources: readonly ColumnSource[]): number {
    const lengths = this.#segments.map(({ longest, sources: own }) =>
      // A column more is `,""`.
      longest === 0 ? 0 : longest + 3 * (sources.length - own.length),
    );
    return Math.max(0, ...lengths);
  }

  /** Lines with these columns, in pieces of some kilobytes; each call reads them again. */
  async *csv(sources: readonly ColumnSource[]): AsyncIterable<Uint8Array> {
    for (const { spoolName, sources: own } of this.#segments) {
      const pieces = this.#spool.read(spoolName);
      if (areSame(own, sources)) yield* pieces;
      else yield* relaidRows(pieces, placesOf(own, sources));
    }
  }

  #notice(bytes: number): void {
    const segment = this.#segments.at(-1);
    if (segment !== undefined) segment.longest = Math.max(segment.longest, bytes);
  }
}

/** Of each column, where it stands in the rows; -1: nowhere. */
function placesOf(own: readonly ColumnSource[], sources: readonly ColumnSource[]): readonly number[] {
  const places = new Map(own.map((source, at) => [source, at]));
  // A table without any column has one without a name.
  return sources.length === 0 ? [-1] : sources.map((source) => places.get(source) ?? -1);
}

function areSame(one: readonly ColumnSource[], other: readonly ColumnSource[]): boolean {
  return one.length === other.length && one.every((source, at) => source === other[at]);
}
