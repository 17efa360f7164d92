import { MillraceError } from '../../core/millrace-error.ts';
import { fromLmdb, reasonOfFailedCommit } from './errors.ts';

/** What LMDB threw, as an error of the product. */
export function catalogError(thrown: unknown): MillraceError {
  const error = fromLmdb(thrown, { full: 'log.full', otherwise: 'catalog.unavailable' });
  if (error.code !== 'log.full') return error;
  return new MillraceError('catalog.unavailable', `the disk of the catalog is full: ${error.message}`, {
    cause: thrown,
  });
}

/** The same for what a write rejected with. */
export async function catalogErrorFromCommit(thrown: unknown): Promise<MillraceError> {
  return catalogError(await reasonOfFailedCommit(thrown));
}
