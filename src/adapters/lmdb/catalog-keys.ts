import type { Collection } from '../../ports/catalog.ts';

/** UTF-16 code units of an id; LMDB's key of 1,978 bytes holds the name of the collection, too. */
export const maxIdLength = 960;

/** Keys of LMDB's byte order. A collection's keys begin with its name and a zero byte, so no name is a prefix of another. */
function collectionBytes(collection: Collection): Buffer {
  return Buffer.from(`${collection}\0`, 'latin1');
}

/** UTF-16, high byte first: its byte order is the code unit order that the port promises (UTF-8's is not). */
function idBytes(id: string): Buffer {
  return Buffer.from(id, 'utf16le').swap16();
}

/** Key of a document. */
export function documentKey(collection: Collection, id: string): Buffer {
  return Buffer.concat([collectionBytes(collection), idBytes(id)]);
}

/** The id in a document's key. */
export function documentIdOf(collection: Collection, key: Uint8Array): string {
  return Buffer.from(key.subarray(collection.length + 1))
    .swap16()
    .toString('utf16le');
}

/** Key of an entry in an index by revision; revisions are integers from 1. */
export function revisionKey(collection: Collection, revision: number): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(revision));
  return Buffer.concat([collectionBytes(collection), bytes]);
}

/** The revision in such a key. */
export function revisionOf(collection: Collection, key: Uint8Array): number {
  return Number(Buffer.from(key.subarray(collection.length + 1)).readBigUInt64BE());
}

export interface KeyRange {
  readonly start: Buffer;
  /** Exclusive. */
  readonly end: Buffer;
}

/** All documents whose id begins with `prefix`. */
export function prefixRange(collection: Collection, prefix: string): KeyRange {
  const start = documentKey(collection, prefix);
  return { start, end: successor(start) };
}

/** All entries of a revision index above `revision`. */
export function revisionsAfter(collection: Collection, revision: number): KeyRange {
  return { start: revisionKey(collection, revision + 1), end: successor(collectionBytes(collection)) };
}

/** The smallest key that does not begin with `prefix` and is above it. */
function successor(prefix: Buffer): Buffer {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 0xff) length -= 1;
  const end = Buffer.from(prefix.subarray(0, length));
  end[length - 1] = (end[length - 1] ?? 0) + 1;
  return end;
}
