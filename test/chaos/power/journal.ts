import { readFileSync } from 'node:fs';

/** What a process did to its folder, in the order of `recorder.c`, which writes it. */
export interface Noted {
  readonly kind: (typeof kinds)[number];
  /** It was on the disk when the call returned. */
  readonly isDurable: boolean;
  /** A sync that failed: what it should have made durable is forgotten, and no later one covers it. */
  readonly hasFailed: boolean;
  readonly inode: number;
  /** Inode of the folder in which a name came or went, and of the other one of a rename. */
  readonly folder: number;
  readonly otherFolder: number;
  /** Of a write; the new size of a truncation; the inode that a rename replaced, or 0. */
  readonly offset: number;
  /** Of the file, before. */
  readonly sizeBefore: number;
  /** A sync covers so many of the first entries. */
  readonly covers: number;
  readonly path: string;
  readonly otherPath: string;
  /** Bytes that were overwritten or cut off, and those that were written. */
  readonly before: Buffer;
  readonly after: Buffer;
}

const kinds = ['write', 'truncate', 'sync', 'create', 'rename', 'unlink', 'link', 'mkdir', 'rmdir'] as const;

/** `struct entry` of `recorder.c`. */
const headerBytes = 72;

/** Reads a journal; the last entry may be cut off. */
export function readJournal(path: string): readonly Noted[] {
  const bytes = readFileSync(path);
  const entries: Noted[] = [];
  for (let at = 0; at + headerBytes <= bytes.length;) {
    const numbers = [8, 16, 24, 32, 40, 48].map((offset) => Number(bytes.readBigUInt64LE(at + offset)));
    const [inode = 0, folder = 0, otherFolder = 0, offset = 0, sizeBefore = 0, covers = 0] = numbers;
    const lengths = [56, 60, 64, 68].map((field) => bytes.readUInt32LE(at + field));
    let from = at + headerBytes;
    const parts = lengths.map((length) => bytes.subarray(from, (from += length)));
    if (from > bytes.length) break;
    const [first = bytes, second = bytes, before = bytes, after = bytes] = parts;
    const kind = kinds[bytes.readUInt32LE(at) - 1];
    if (kind === undefined) throw new Error(`the journal has no entry at ${at}`);
    const flags = bytes.readUInt32LE(at + 4);
    const [name, otherPath] = [first.toString(), second.toString()];
    entries.push({
      kind,
      isDurable: flags === 1,
      hasFailed: flags === 2,
      inode,
      folder,
      otherFolder,
      offset,
      sizeBefore,
      covers,
      path: name,
      otherPath,
      before,
      after,
    });
    at = from;
  }
  return entries;
}
