import type { ErrorCode } from '../../core/error-catalogue.ts';
import { isCancellation, MillraceError } from '../../core/millrace-error.ts';

/** The code of an error of the operating system (`ENOENT` …), or undefined. */
export function systemCode(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error) || !('code' in thrown)) return undefined;
  return typeof thrown.code === 'string' ? thrown.code : undefined;
}

/**
 * Makes an error of the port of what the file system threw while it did `action` ("write the object a/b"). A
 * cancellation and an error of ours come back as they are; a missing file has the code `missing`.
 */
export function fromFileSystem(thrown: unknown, action: string, missing: ErrorCode = 'objects.notFound'): Error {
  if (thrown instanceof MillraceError) return thrown;
  if (thrown instanceof Error && isCancellation(thrown)) return thrown;
  const code = systemCode(thrown);
  const reason = code === undefined ? undefined : reasons[code];
  const text = reason ?? (thrown instanceof Error ? thrown.message : String(thrown));
  return new MillraceError(codeOf(code, missing), `cannot ${action}: ${text}`, {
    cause: thrown,
    details: { code },
  });
}

function codeOf(code: string | undefined, missing: ErrorCode): ErrorCode {
  if (code === 'ENOENT') return missing;
  return code === 'EEXIST' ? 'objects.exists' : 'objects.unavailable';
}

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is none',
  EEXIST: 'the name is taken',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EROFS: 'the file system is read-only',
  EACCES: 'permission denied',
  EPERM: 'the operation is not permitted, or the file system has no hard links',
  EMFILE: 'too many open files',
};
