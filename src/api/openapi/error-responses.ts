import { z } from 'zod';
import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ApiError } from '../errors/api-error.ts';
import { apiErrors, type ApiErrorName } from '../errors/api-errors.ts';
import { errorBody, type ErrorShape } from '../errors/error-body.ts';
import { errorMessages } from './error-messages.ts';

const jsonType = 'application/json';

const streamError = z
  .object({
    statusCode: z.int().meta({ description: 'The status of the answer.' }),
    error: z.string().meta({ description: 'The name of the refusal, behind `stream.api.`.' }),
    message: z.string().meta({ description: 'What is wrong, as a sentence, with field, value and rule.' }),
    exceptionId: z.string().optional().meta({ description: 'From status 500 on: under it the log knows more.' }),
  })
  .meta({ id: 'Error' });

const storageError = z
  .object({
    error: z.string().meta({ description: 'What is wrong, as a sentence.' }),
    code: z.string().meta({ description: 'The name of the refusal; empty when no token was sent.' }),
    exceptionId: z.string().meta({ description: 'Under it the log knows more.' }),
    status: z.literal('error'),
  })
  .meta({ id: 'StorageError' });

const jobError = z
  .object({
    error: z.string().meta({ description: 'What is wrong.' }),
    code: z.int().meta({ description: 'The status of the answer.' }),
    exceptionId: z.string().meta({ description: 'Under it the log knows more.' }),
    status: z.literal('error'),
    context: z.object({ errorCode: z.string().meta({ description: 'The name of the refusal.' }) }),
  })
  .meta({ id: 'JobError' });

/** The body of a refusal: one shape under `/v1`, others under `/v2/storage` and for jobs. */
const errorSchemas: Readonly<Record<ErrorShape, z.ZodType>> = {
  stream: streamError,
  storage: storageError,
  jobs: jobError,
};

/** Before the names of the components that are responses. */
const prefixes: Readonly<Record<ErrorShape, string>> = { stream: '', storage: 'Storage', jobs: 'Jobs' };

/** The name of a refusal in its body. */
function codeOf(name: ApiErrorName, shape: ErrorShape): string {
  return apiErrors[name][shape === 'storage' ? 'storage' : 'stream'];
}

/** One response a status of these refusals, each refusal with an example of its body. What any route may answer is a component. */
export function errorResponses(
  names: ReadonlySet<ApiErrorName>,
  shape: ErrorShape,
): Readonly<Record<`4${string}` | `5${string}`, ZodOpenApiResponseObject>> {
  const byStatus = Map.groupBy(names, (name) => apiErrors[name].status);
  return Object.fromEntries(
    Array.from(byStatus, ([status, group]) => [
      String(status),
      shared[shape][status] ?? responseOf(status, group, shape),
    ]),
  );
}

function responseOf(status: number, names: readonly ApiErrorName[], shape: ErrorShape): ZodOpenApiResponseObject {
  const codes = new Set(names.map((name) => codeOf(name, shape)).filter((code) => code !== ''));
  return {
    description: `${meanings[status] ?? 'Refused'}: ${Array.from(codes, (code) => `\`${code}\``).join(', ')}.`,
    ...headersOf(status),
    content: {
      [jsonType]: {
        schema: errorSchemas[shape],
        examples: Object.fromEntries(names.map((name) => [name, { value: exampleOf(name, shape) }])),
      },
    },
  };
}

const meanings: Readonly<Record<number, string>> = {
  400: 'The request is not valid',
  401: 'No token, or a wrong one',
  403: 'Not allowed',
  404: 'Not found',
  408: 'The request took too long',
  409: 'In the way of what is there',
  413: 'The body is too large',
  415: 'The body is of another type',
  422: 'Understood, and not possible',
  500: 'A defect of the product',
  501: 'Not offered',
  503: 'A part does not answer: try again',
};

function headersOf(status: number): Pick<ZodOpenApiResponseObject, 'headers'> {
  switch (status) {
    case 401:
      return { headers: { 'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } } } };
    case 503:
      return { headers: { 'Retry-After': { description: 'Seconds to wait.', schema: { type: 'integer' } } } };
    default:
      return {};
  }
}

const nameOfStatus: Readonly<Record<number, string>> = {
  400: 'BadRequest',
  401: 'Unauthorized',
  403: 'Forbidden',
  408: 'RequestTimeout',
  413: 'PayloadTooLarge',
  415: 'UnsupportedMediaType',
  500: 'InternalError',
  503: 'ServiceUnavailable',
};

const exceptionId = 'millrace-0f3k9x2m7q1v8c5';

function exampleOf(name: ApiErrorName, shape: ErrorShape): object {
  return errorBody(new ApiError(name, errorMessages[name]), {
    shape,
    exceptionId,
  });
}

const names: readonly ApiErrorName[] = Object.keys(apiErrors).filter((name): name is ApiErrorName => name in apiErrors);

function sharedResponses(shape: ErrorShape): Readonly<Record<number, ZodOpenApiResponseObject>> {
  return Object.fromEntries(
    Object.entries(nameOfStatus).map(([status, name]) => {
      const group = names.filter((one) => apiErrors[one].status === Number(status));
      return [status, { id: `${prefixes[shape]}${name}`, ...responseOf(Number(status), group, shape) }];
    }),
  );
}

const shared = {
  stream: sharedResponses('stream'),
  storage: sharedResponses('storage'),
  jobs: sharedResponses('jobs'),
};
