import type {
  ZodObjectInput,
  ZodOpenApiContentObject,
  ZodOpenApiOperationObject,
  ZodOpenApiRequestBodyObject,
  ZodOpenApiResponseObject,
} from 'zod-openapi';
import type { z } from 'zod';
import { errorShapeOf } from '../errors/error-body.ts';
import type { ResponseDescription, Route } from '../route/route.ts';
import { errorResponses } from './error-responses.ts';
import { refusalsOf } from './refusals-of.ts';
import { tagOf } from './tag-of.ts';

/** Either of them, on its own. */
const security = [{ StorageApiToken: [] }, { Bearer: [] }];

/** A route as OpenAPI describes it. */
export function operationOf(route: Route): ZodOpenApiOperationObject {
  const { operationId, summary, path, access, schemas, responses } = route;
  const requestBody = requestBodyOf(route);
  return {
    operationId,
    summary,
    tags: [tagOf(path)],
    security: access === 'public' ? [] : security,
    requestParams: { ...parameters('path', schemas.params), ...parameters('query', schemas.query) },
    ...(requestBody === undefined ? {} : { requestBody }),
    responses: {
      ...errorResponses(refusalsOf(route), errorShapeOf(path)),
      ...Object.fromEntries(Object.entries(responses).map(([status, one]) => [status, responseOf(one)])),
    },
  };
}

function parameters(place: 'path' | 'query', schema: z.ZodType | undefined): Record<string, ZodObjectInput> {
  // Routes give an object schema for both; their type is wider, because handlers see what the schema makes of them.
  return schema === undefined ? {} : { [place]: schema as unknown as ZodObjectInput };
}

function requestBodyOf({ bodyKind, schemas }: Route): ZodOpenApiRequestBodyObject | undefined {
  switch (bodyKind) {
    case 'none':
      return undefined;
    case 'json':
      return { required: true, content: { 'application/json': { schema: schemas.body ?? {} } } };
    case 'fields': {
      const media = { schema: schemas.body ?? {} };
      return { content: { 'application/json': media, 'application/x-www-form-urlencoded': media } };
    }
    case 'bytes':
      return { description: 'What a sender would send, with its content type.', content: anything };
    case 'stream':
      return {
        description: 'The bytes as they are; none of an empty file.',
        content: { 'application/octet-stream': { schema: {} } },
      };
    default:
      return bodyKind satisfies never;
  }
}

const anything: ZodOpenApiContentObject = {
  'application/json': { schema: {} },
  'text/plain': { schema: { type: 'string' } },
  'application/octet-stream': { schema: {} },
};

function responseOf({
  description,
  schema,
  contentTypes = [],
  headers,
}: ResponseDescription): ZodOpenApiResponseObject {
  const content: ZodOpenApiContentObject = {
    ...(schema === undefined ? {} : { 'application/json': { schema } }),
    ...Object.fromEntries(contentTypes.map((type) => [type, { schema: {} }])),
  };
  return {
    description,
    ...(Object.keys(content).length === 0 ? {} : { content }),
    ...(headers === undefined ? {} : { headers: headersOf(headers) }),
  };
}

function headersOf(headers: Readonly<Record<string, string>>): NonNullable<ZodOpenApiResponseObject['headers']> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, description]) => [name, { description, schema: { type: 'string' as const } }]),
  );
}
