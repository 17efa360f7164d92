import type { ErrorCode } from '../../core/error-catalogue.ts';
import { type ErrorDetails, messageOf, MillraceError } from '../../core/millrace-error.ts';

/** Which codes of the catalogue an adapter on LMDB uses for a failed call. */
export interface LmdbFailureCodes {
  /** No space on the disk, or the map is used up. */
  readonly full: ErrorCode;
  /** Everything else. */
  readonly otherwise: ErrorCode;
}

const errno = { EDQUOT: 122, ENOSPC: 28 };
const mapFull = -30792;

/** Makes a MillraceError of what the driver threw; a MillraceError comes back as it is. */
export function fromLmdb(thrown: unknown, codes: LmdbFailureCodes, details: ErrorDetails = {}): MillraceError {
  if (thrown instanceof MillraceError) return thrown;
  return new MillraceError(isFull(thrown) ? codes.full : codes.otherwise, messageOf(thrown), {
    cause: thrown,
    details,
  });
}

/**
 * The driver rejects writes with "Commit failed" and puts the reason into a promise of its own, which rejects a moment
 * later and would otherwise stop the process as unhandled.
 */
export async function reasonOfFailedCommit(thrown: unknown): Promise<unknown> {
  if (!(thrown instanceof Error) || !('commitError' in thrown)) return thrown;
  try {
    await thrown.commitError;
  } catch (reason) {
    return reason;
  }
  return thrown;
}

/** No space on the disk, or the map is used up. */
export function isFull(thrown: unknown): boolean {
  const code = codeOf(thrown);
  if (code === errno.ENOSPC || code === errno.EDQUOT || code === mapFull) return true;
  return /no space left|disk quota exceeded|MDB_MAP_FULL/i.test(messageOf(thrown));
}

function codeOf(thrown: unknown): unknown {
  return thrown instanceof Error && 'code' in thrown ? thrown.code : undefined;
}
