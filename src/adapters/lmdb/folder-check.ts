import { closeSync, constants, fstatSync, fsyncSync, mkdirSync, openSync, statfsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import { systemCode } from '../system-code.ts';
import { readHeader } from './space/header.ts';

/** A new environment needs less, until it reserves what its first commits need. */
const leastFreeBytes = 1024 * 1024;

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
    if (!isNew) return;
    const space = statfsSync(path);
    if (space.bavail * space.bsize < leastFreeBytes) throw new Error('no space left on the device');
    // @NOTE before the driver writes: a file with content is one whose entry is durable
    syncWayTo(file);
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
    const first = readHeader(descriptor, 0);
    if (first === undefined) throw new Error(`"${file}" (${size} bytes) is not a data file of this product`);
    const second = readHeader(descriptor, first.pageSize);
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
