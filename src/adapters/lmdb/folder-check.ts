import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync, readSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { systemCode } from '../system-code.ts';

/** A new environment and its first commits need less. */
const leastFreeBytes = 1024 * 1024;

const magic = 0xbeefc0de;
const dataVersion = 2;
/** Where a meta page has its fields, counted from the start of the page. */
const meta = { magic: 24, version: 28, pageSize: 48, lastPage: 144, transaction: 152, bytes: 160 } as const;

/**
 * Makes the folder, with the entries on the way to it durable, and refuses what the driver would not survive: it
 * crashes the process when an open fails half way (no right to write, no space, foreign content) or when a page lies
 * past the end of a truncated file.
 */
export function checkFolder(path: string): void {
  const file = join(path, 'data.mdb');
  try {
    mkdirSync(path, { recursive: true });
    for (const name of ['lock.mdb', 'data.mdb']) {
      closeSync(openSync(join(path, name), constants.O_RDWR | constants.O_CREAT, 0o644));
    }
    const isNew = checkFile(file) === 'empty';
    const space = statfsSync(path);
    if (space.bavail * space.bsize < leastFreeBytes) throw new Error('no space left on the device');
    // @NOTE before the driver writes: a file with content is one whose entry is durable
    if (isNew) syncWayTo(file);
  } catch (thrown) {
    const reason = messageOf(thrown);
    throw new MillraceError('data.unusable', `cannot use the data folder "${path}": ${reason}`, {
      cause: thrown,
      details: { path },
    });
  }
}

/** The driver syncs its files but no folder: without this a loss of power could take a new file with all its commits. */
function syncWayTo(file: string): void {
  for (let entry = file; entry !== dirname(entry); entry = dirname(entry)) syncFolder(dirname(entry));
}

function syncFolder(folder: string): void {
  let descriptor: number | undefined;
  try {
    descriptor = openSync(folder, 'r');
    fsyncSync(descriptor);
  } catch (thrown) {
    // A folder that this process may not read belongs to the owner of the machine, who made its entries long ago.
    if (systemCode(thrown) !== 'EACCES') throw thrown;
  } finally {
    if (descriptor !== undefined) closeSync(descriptor);
  }
}

function checkFile(file: string): 'empty' | 'whole' {
  const descriptor = openSync(file, 'r');
  try {
    const { size } = fstatSync(descriptor);
    if (size === 0) return 'empty';
    const first = readMeta(descriptor, 0);
    if (first === undefined) throw new Error(`"${file}" (${size} bytes) is not a data file of this product`);
    const second = readMeta(descriptor, first.pageSize);
    if (second === undefined) throw new Error(`"${file}" (${size} bytes) is damaged: its second page is missing`);
    const newest = second.transaction > first.transaction ? second : first;
    const expected = (newest.lastPage + 1) * first.pageSize;
    // Only now: another thread may be committing, and writes pages before the header that speaks of them.
    const { size: now } = fstatSync(descriptor);
    // The pages of the very first commits may not be written yet; the two meta pages always are.
    if (newest.lastPage > 1 && now < expected) {
      throw new Error(`"${file}" is damaged: it has ${now} bytes, its header says ${expected}; restore it`);
    }
    return 'whole';
  } finally {
    closeSync(descriptor);
  }
}

interface Meta {
  readonly pageSize: number;
  readonly lastPage: number;
  readonly transaction: number;
}

function readMeta(descriptor: number, at: number): Meta | undefined {
  const page = Buffer.alloc(meta.bytes);
  if (readSync(descriptor, page, 0, meta.bytes, at) < meta.bytes) return undefined;
  if (page.readUInt32LE(meta.magic) !== magic || (page.readUInt32LE(meta.version) & 0xffff) !== dataVersion) {
    return undefined;
  }
  return {
    pageSize: at === 0 ? page.readUInt32LE(meta.pageSize) : at,
    lastPage: Number(page.readBigUInt64LE(meta.lastPage)),
    transaction: Number(page.readBigUInt64LE(meta.transaction)),
  };
}
