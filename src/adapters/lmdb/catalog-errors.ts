import { MillraceError } from '../../core/millrace-error.ts';
import { isShortWriteOnFullDisk } from './disk-full.ts';
import { fromLmdb, isFull, reasonOfFailedCommit } from './errors.ts';

/** What LMDB threw, as an error of the product. */
export function catalogError(thrown: unknown): MillraceError {
  const error = fromLmdb(thrown, { full: 'catalog.unavailable', otherwise: 'catalog.unavailable' });
  return error !== thrown && isFull(thrown) ? diskFull(error.message, thrown) : error;
}

/** The same for what a write rejected with; `path` is the folder of the environment. */
export async function catalogErrorFromCommit(thrown: unknown, path: string): Promise<MillraceError> {
  const reason = await reasonOfFailedCommit(thrown);
  const error = catalogError(reason);
  return isShortWriteOnFullDisk(reason, path) ? diskFull(error.message, reason) : error;
}

function diskFull(reason: string, cause: unknown): MillraceError {
  return new MillraceError('catalog.unavailable', `the disk of the catalog is full: ${reason}`, { cause });
}
