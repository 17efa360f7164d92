import { readSync } from 'node:fs';

const magic = 0xbeefc0de;
const dataVersion = 2;
/** Where a meta page has its fields, counted from the start of the page. */
const fields = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152, bytes: 160 } as const;

/** What one of the two meta pages of a data file says. */
export interface Header {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: number;
}

/** The first meta page, and the second when its place is given; undefined where there is none. */
export function readHeader(descriptor: number, at: number): Header | undefined {
  const page = Buffer.alloc(fields.bytes);
  if (readSync(descriptor, page, 0, fields.bytes, at) < fields.bytes) return undefined;
  if (page.readUInt32LE(fields.magic) !== magic || (page.readUInt32LE(fields.version) & 0xffff) !== dataVersion) {
    return undefined;
  }
  return {
    pageSize: at === 0 ? page.readUInt32LE(fields.pageSize) : at,
    lastPage: lastPageOf(page),
    transaction: Number(page.readBigUInt64LE(fields.transaction)),
  };
}

/** Of a buffer with the bytes of a meta page. */
export function lastPageOf(page: Buffer): number {
  return Number(page.readBigUInt64LE(fields.lastPage));
}

/** So many bytes of a meta page hold what is read here. */
export const headerBytes = fields.bytes;
