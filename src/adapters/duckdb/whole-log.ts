import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { EntryChecksum } from './entry-checksum.ts';

/** What DuckDB writes first, without a checksum, in hex: version 2 of the log, and of which file and which of its checkpoints it is. */
const head = /^640062650002660010(?:(?:[89a-f].)*[0-7].){16}6700(?:[89a-f].)*[0-7].ffff/;

const headOfAnotherVersion = /^6400626500(?!00|02)../;

const longestHead = 64;

/** Before each entry: its size and its checksum, words of eight bytes. */
const entryHead = 16;

/** Of whole words. */
const chunkBytes = 1024 * 1024;

/**
 * How many bytes at the beginning of a log of DuckDB are its head and entries that are as they were written. All, when
 * the log is of a version that this one does not know. Reads while it is called, 32 MiB in a fraction of a second: it
 * is asked only of a log with which DuckDB does not start.
 */
export function wholeBytesOf(path: string): number {
  const file = openSync(path, 'r');
  try {
    const log = new Log(file);
    const begins = log.read(0, longestHead).toString('hex');
    if (headOfAnotherVersion.test(begins)) return log.size;
    let whole = (head.exec(begins)?.[0].length ?? 0) / 2;
    if (whole === 0) return 0;
    for (let end = endOfEntry(log, whole); end !== undefined; end = endOfEntry(log, whole)) whole = end;
    return whole;
  } finally {
    closeSync(file);
  }
}

/** Where the entry that begins at `start` ends; undefined when it is not whole. */
function endOfEntry(log: Log, start: number): number | undefined {
  const known = log.read(start, entryHead);
  if (known.length < entryHead) return undefined;
  const size = Number(known.readBigUInt64LE(0));
  const stored = known.readBigUInt64LE(8);
  const end = start + entryHead + size;
  if (size === 0 || end > log.size) return undefined;
  const checksum = new EntryChecksum();
  for (let at = start + entryHead; at < end; at += chunkBytes)
    checksum.add(log.read(at, Math.min(chunkBytes, end - at)));
  return checksum.value === stored ? end : undefined;
}

/** Entries may be small: they are taken from a chunk that was read at once. */
class Log {
  readonly size: number;
  readonly #file: number;
  readonly #buffer = Buffer.alloc(chunkBytes);
  #chunk = this.#buffer.subarray(0, 0);
  #chunkStart = 0;

  constructor(file: number) {
    this.#file = file;
    this.size = fstatSync(file).size;
  }

  /** Up to `length` bytes, not more than a chunk; fewer at the end. They are valid until the next call. */
  read(start: number, length: number): Buffer {
    const end = Math.min(start + length, this.size);
    if (start < this.#chunkStart || end > this.#chunkStart + this.#chunk.length) this.#fill(start);
    return this.#chunk.subarray(start - this.#chunkStart, end - this.#chunkStart);
  }

  #fill(start: number): void {
    let filled = 0;
    for (let bytes = -1; bytes !== 0; filled += bytes)
      bytes = readSync(this.#file, this.#buffer, filled, chunkBytes - filled, start + filled);
    this.#chunk = this.#buffer.subarray(0, filled);
    this.#chunkStart = start;
  }
}
