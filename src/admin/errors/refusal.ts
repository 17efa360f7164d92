import { errorCatalogue } from '../../core/error-catalogue.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { ApiError } from './api-error.ts';

const retryAfter = { 'Retry-After': '1' };

/** Whatever was thrown, as the refusal that the client sees; what is not meant for it becomes `internalError`. */
export function refusalOf(thrown: unknown): ApiError {
  if (thrown instanceof ApiError) return thrown;
  if (thrown instanceof DOMException && thrown.name === 'TimeoutError')
    return new ApiError('requestTimeout', 'the request took too long', { cause: thrown });
  if (thrown instanceof MillraceError) return ofMillraceError(thrown);
  return internal(thrown);
}

function ofMillraceError(error: MillraceError): ApiError {
  switch (error.code) {
    case 'input.invalid':
      return new ApiError('badRequest', error.message, { cause: error });
    case 'table.notFound':
      return new ApiError('tableNotFound', error.message, { cause: error });
    case 'catalog.unavailable':
      return unavailable('the catalog does not answer; nothing is known to have changed, try again', error);
    case 'log.unavailable':
    case 'log.refused':
    case 'log.full':
    case 'log.closed':
      return unavailable('the log does not answer, try again', error);
    case 'table.unavailable':
    case 'table.outOfMemory':
      return unavailable('the table store does not answer, try again', error);
    case 'log.topicNotFound':
    case 'progress.logBehind':
    case 'progress.logCut':
    case 'progress.topicChanged':
      return unavailable(`${error.message}; ${errorCatalogue[error.code].action}`, error);
    default:
      return internal(error);
  }
}

function unavailable(message: string, cause: MillraceError): ApiError {
  return new ApiError('serviceUnavailable', message, { cause, headers: retryAfter });
}

function internal(cause: unknown): ApiError {
  return new ApiError(
    'internalError',
    'something went wrong on our side; the log tells more under the exception ID of this answer',
    { cause },
  );
}

/** The message of a failed task: what the user may see. */
export function taskError(thrown: unknown): string {
  const refusal = refusalOf(thrown);
  if (refusal.api !== 'internalError') return refusal.message;
  return thrown instanceof MillraceError && thrown.code !== 'internal.bug' ? thrown.message : 'Unknown error';
}
