import type { ZodOpenApiResponseObject } from 'zod-openapi';
import { ApiError } from '../errors/api-error.ts';
import { apiErrors, type ApiErrorName } from '../errors/api-errors.ts';
import { errorBody, type ApiFamily } from '../errors/error-body.ts';
import { errorMessages } from './error-messages.ts';
import { errorSchemas } from './error-schemas.ts';

const jsonType = 'application/json';

/** One response a status of these refusals, each refusal with an example of its body. What any route may answer is a component. */
export function errorResponses(
  names: ReadonlySet<ApiErrorName>,
  family: ApiFamily,
): Readonly<Record<`4${string}` | `5${string}`, ZodOpenApiResponseObject>> {
  const byStatus = Map.groupBy(names, (name) => apiErrors[name].status);
  return Object.fromEntries(
    Array.from(byStatus, ([status, group]) => [
      String(status),
      shared[family][status] ?? responseOf(status, group, family),
    ]),
  );
}

function responseOf(status: number, names: readonly ApiErrorName[], family: ApiFamily): ZodOpenApiResponseObject {
  const codes = new Set(names.map((name) => apiErrors[name][family]).filter((code) => code !== ''));
  return {
    description: `${meanings[status] ?? 'Refused'}: ${Array.from(codes, (code) => `\`${code}\``).join(', ')}.`,
    ...headersOf(status),
    content: {
      [jsonType]: {
        schema: errorSchemas[family],
        examples: Object.fromEntries(names.map((name) => [name, { value: exampleOf(name, family) }])),
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

function exampleOf(name: ApiErrorName, family: ApiFamily): object {
  return errorBody(new ApiError(name, errorMessages[name]), {
    family,
    exceptionId,
  });
}

const names: readonly ApiErrorName[] = Object.keys(apiErrors).filter((name): name is ApiErrorName => name in apiErrors);

function sharedResponses(family: ApiFamily): Readonly<Record<number, ZodOpenApiResponseObject>> {
  return Object.fromEntries(
    Object.entries(nameOfStatus).map(([status, name]) => {
      const group = names.filter((one) => apiErrors[one].status === Number(status));
      const id = family === 'stream' ? name : `Storage${name}`;
      return [status, { id, ...responseOf(Number(status), group, family) }];
    }),
  );
}

const shared = { stream: sharedResponses('stream'), storage: sharedResponses('storage') };
