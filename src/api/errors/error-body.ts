import type { ApiError } from './api-error.ts';
import { apiErrors } from './api-errors.ts';
import { sentence } from '../../control/errors/sentence.ts';

/** Which of the error shapes a path answers with. */
export type ErrorShape = 'stream' | 'storage' | 'jobs';

/** The error shape of a path: everything under `/v2/` is the storage interface; `/jobs` and `/search/jobs` are that of jobs. */
export function errorShapeOf(path: string): ErrorShape {
  const isUnder = (base: string): boolean => path === base || path.startsWith(`${base}/`);
  if (isUnder('/v2')) return 'storage';
  return isUnder('/jobs') || isUnder('/search/jobs') ? 'jobs' : 'stream';
}

/** The body of a refusal. `exceptionId` is the id under which the log knows it. */
export function errorBody(error: ApiError, { shape, exceptionId }: { shape: ErrorShape; exceptionId: string }): object {
  const { status, stream, storage } = apiErrors[error.api];
  const message = sentence(error.message);
  switch (shape) {
    case 'stream':
      return {
        statusCode: status,
        error: `stream.api.${stream}`,
        message,
        ...(status >= 500 ? { exceptionId } : {}),
      };
    case 'storage':
      return { error: message, code: storage, exceptionId, status: 'error' };
    case 'jobs':
      // Its texts are those of the reference: no dot is added.
      return {
        error: capital(error.message),
        code: status,
        exceptionId,
        status: 'error',
        context: { errorCode: stream },
      };
    default:
      return shape satisfies never;
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
