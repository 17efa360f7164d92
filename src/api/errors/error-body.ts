import type { ApiError } from './api-error.ts';
import { apiErrors } from './api-errors.ts';
import { sentence } from '../../control/errors/sentence.ts';

/** Which of the two error shapes a path answers with. */
export type ErrorShape = 'stream' | 'storage';

/** The error shape of a path: everything under `/v2/` is the storage interface. */
export function errorShapeOf(path: string): ErrorShape {
  return path === '/v2' || path.startsWith('/v2/') ? 'storage' : 'stream';
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
    default:
      return shape satisfies never;
  }
}
