import type { ErrorCode } from '../../core/error-catalogue.ts';
import { isCancellation, messageOf, MillraceError } from '../../core/millrace-error.ts';
import { systemCode } from '../system-code.ts';

/** No object has the name: it is not there, a folder above it is not there, or the name is a folder's. */
export function isMissing(thrown: unknown): boolean {
  const code = systemCode(thrown);
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR';
}

/**
 * Makes an error of the port of what the file system threw while it did `action` ("write the object a/b"). A
 * cancellation and an error of ours come back as they are; a missing file has the code `missing`.
 */
export function fromFileSystem(thrown: unknown, action: string, missing: ErrorCode = 'objects.notFound'): Error {
  if (thrown instanceof MillraceError) return thrown;
  if (thrown instanceof Error && isCancellation(thrown)) return thrown;
  const code = systemCode(thrown);
  const reason = isMissing(thrown) ? missingReason(missing) : reasons[code ?? ''];
  const text = reason ?? messageOf(thrown);
  return new MillraceError(isMissing(thrown) ? missing : codeOf(code), `cannot ${action}: ${text}`, {
    cause: thrown,
    details: { code },
  });
}

function missingReason(missing: ErrorCode): string {
  return missing === 'objects.notFound' ? 'there is none' : 'the file or its folder was removed';
}

function codeOf(code: string | undefined): ErrorCode {
  return code === 'EEXIST' ? 'objects.exists' : 'objects.unavailable';
}

const reasons: Readonly<Record<string, string>> = {
  EEXIST: 'the name is taken',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted, or the file system has no hard links',
  EMFILE: 'too many open files',
};
