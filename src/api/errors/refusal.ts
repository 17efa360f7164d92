import { MillraceError } from '../../core/millrace-error.ts';
import { ApiError } from './api-error.ts';
import { refusalOfCode, type CodeRefusal } from './refusal-of-code.ts';
import { sentence } from '../../control/errors/sentence.ts';
import { isLate, lateText, toldOf } from '../../control/errors/told.ts';

/** Whatever was thrown, as the refusal that the client sees; what is not meant for it becomes `internalError`. */
export function refusalOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (isLate(thrown)) return new ApiError('requestTimeout', lateText, { cause: thrown });
  const refusal = thrown instanceof MillraceError ? refusalOfCode[thrown.code] : undefined;
  if (refusal === undefined || !(thrown instanceof MillraceError)) return internal(thrown);
  return told(thrown, refusal);
}

/**
 * What the audit trail keeps of an error; undefined for a refusal that was neither our fault nor cut off in the middle,
 * since nothing has changed then.
 */
export function failureOf(thrown: unknown): string | undefined {
  const { status, message } = refusalOf(thrown);
  return status < 500 && status !== 408 && status !== 499 ? undefined : sentence(message);
}

function told(error: MillraceError, { name, retryAfter }: CodeRefusal): ApiError {
  const headers = retryAfter === undefined ? {} : { 'Retry-After': String(retryAfter) };
  return new ApiError(name, toldOf(error), { cause: error, code: error.code, headers });
}

function internal(cause: unknown): ApiError {
  return new ApiError(
    'internalError',
    'something went wrong on our side; the log tells more under the exception ID of this answer',
    { cause },
  );
}
