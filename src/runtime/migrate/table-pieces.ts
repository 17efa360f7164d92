import { hash } from 'node:crypto';
import { open } from 'node:fs/promises';
import type { Readable } from 'node:stream';
import { crc32 } from 'node:zlib';
import { crc32Checksum, type Checksum } from '../../core/checksum.ts';

/** Whole lines of a table. */
export interface TablePiece {
  readonly start: number;
  readonly bytes: number;
  readonly rows: number;
  readonly checksum: Checksum;
}

export interface SpooledTable {
  readonly pieces: readonly TablePiece[];
  readonly rows: number;
  /** Of all its rows. */
  readonly digest: string;
}

const quote = 0x22;
const lineEnd = 0x0a;

/** Lines of CSV, every cell quoted, behind the line with the names of the columns. */
export class CsvLines {
  readonly #digest = new DigestOfRows();
  readonly #begun: Buffer[] = [];
  #isQuoted = false;
  #hasHeader = false;
  rows = 0;

  /** The part of a chunk that is behind the header; `onRow` is told of the place behind each row in it. */
  take(chunk: Buffer, onRow: (end: number) => void = () => undefined): Buffer {
    let from = this.#hasHeader ? 0 : chunk.length;
    let begin = from;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === quote) this.#isQuoted = !this.#isQuoted;
      if (byte !== lineEnd || this.#isQuoted) continue;
      if (this.#hasHeader) {
        this.#endRow(chunk.subarray(begin, at + 1));
        onRow(at + 1 - from);
      } else {
        this.#hasHeader = true;
        from = at + 1;
      }
      begin = at + 1;
    }
    if (begin < chunk.length) this.#begun.push(chunk.subarray(begin));
    return chunk.subarray(from);
  }

  #endRow(rest: Buffer): void {
    this.rows += 1;
    this.#digest.add(this.#begun.length === 0 ? rest : Buffer.concat([...this.#begun, rest]));
    this.#begun.length = 0;
  }

  digest(): string {
    return this.#digest.text();
  }
}

/**
 * The same for the same rows, however often each is there, in whatever order: a server shows rows where it found room for them, and what
 * was cut off before has left room anywhere.
 */
class DigestOfRows {
  readonly #sums = new Uint32Array(8);

  add(row: Uint8Array): void {
    const hashed = hash('sha256', row, 'buffer');
    for (const [at, sum] of this.#sums.entries()) this.#sums[at] = sum + hashed.readUInt32LE(4 * at);
  }

  text(): string {
    return Buffer.from(this.#sums.buffer).toString('hex');
  }
}

/** Writes the lines of a table into a file, and finds pieces of about so many bytes in it: the same ones each time. */
export async function spoolTable(csv: Readable, path: string, pieceBytes: number): Promise<SpooledTable> {
  const lines = new CsvLines();
  const pieces: TablePiece[] = [];
  let [start, written, crc, firstRow] = [0, 0, 0, 0];
  const file = await open(path, 'w', 0o600);
  try {
    for await (const chunk of csv) {
      const ends: { readonly at: number; readonly rows: number }[] = [];
      const part = lines.take(chunk as Buffer, (at) => ends.push({ at, rows: lines.rows }));
      let done = 0;
      for (const { at, rows } of ends) {
        if (written + at - start < pieceBytes) continue;
        crc = crc32(part.subarray(done, at), crc);
        pieces.push({ start, bytes: written + at - start, rows: rows - firstRow, checksum: crc32Checksum(crc) });
        [start, crc, firstRow, done] = [written + at, 0, rows, at];
      }
      crc = crc32(part.subarray(done), crc);
      await file.writeFile(part);
      written += part.length;
    }
  } finally {
    await file.close();
  }
  if (written > start)
    pieces.push({ start, bytes: written - start, rows: lines.rows - firstRow, checksum: crc32Checksum(crc) });
  return { pieces, rows: lines.rows, digest: lines.digest() };
}

/** The digest and the number of the rows of a table. */
export async function digestOfTable(csv: Readable): Promise<Pick<SpooledTable, 'rows' | 'digest'>> {
  const lines = new CsvLines();
  for await (const chunk of csv) lines.take(chunk as Buffer);
  return { rows: lines.rows, digest: lines.digest() };
}
