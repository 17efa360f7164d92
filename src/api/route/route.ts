import type { Readable } from 'node:stream';
import { z } from 'zod';
import type { By } from '../../core/source.ts';
import type { ApiContext } from '../api-context.ts';
import type { Token } from '../../core/token.ts';
import type { ApiErrorName } from '../errors/api-errors.ts';
import type { Change } from '../../control/audit/change.ts';
import { validationError, type InputPlace } from '../errors/validation-error.ts';
import { checkBody, type BodyElements } from './check-body.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * Who may call: anybody; any token; a token of a person that may read; one that may also write; one that may read, or write, the tables of
 * the bucket in the path, or of some bucket where the path names none, as for files; one that may make and delete buckets; one that may
 * read, or write, the configurations of the component in the path, or of some component where the path names none.
 */
export type Access =
  | 'public'
  | 'token'
  | 'read'
  | 'write'
  | 'readTables'
  | 'writeTables'
  | 'manageBuckets'
  | 'readComponent'
  | 'writeComponent';

/** What a handler answers. */
export type Reply =
  | {
      readonly kind: 'json';
      readonly status: number;
      readonly body: object;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'text';
      readonly status: number;
      readonly contentType: string;
      readonly text: string;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'bytes';
      /** 200 when absent. */
      readonly status?: number;
      readonly contentType: string;
      readonly bytes: Uint8Array;
      readonly headers?: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: 'stream';
      readonly contentType: string;
      /** Under which a browser saves it; absent: it shows it. */
      readonly fileName?: string;
      readonly content: Readable;
    }
  | { readonly kind: 'empty'; readonly status: 204 }
  | { readonly kind: 'redirect'; readonly location: string };

/** What a handler knows of its request beside the validated input. */
export interface Call {
  readonly by: By;
  /** Undefined for a public route only. */
  readonly token: Token | undefined;
  /** Flat list `name, value, name, value …` as received. */
  readonly headers: readonly string[];
  /** Address of the peer of the connection. */
  readonly peer: string;
  readonly signal: AbortSignal;
}

/** The same of a request that changes something. */
export interface ChangeCall extends Call {
  readonly change: Change;
}

/** What an answer is, as the API's description tells it: JSON by a schema, or other content types, or nothing. */
export interface ResponseDescription {
  readonly description: string;
  readonly schema?: z.ZodType;
  /** Content types of an answer that is not JSON, or not always. */
  readonly contentTypes?: readonly string[];
  /** Headers that matter to a client, with what they say. */
  readonly headers?: Readonly<Record<string, string>>;
}

interface RouteDescription {
  readonly method: Method;
  /** `/v1/branches/{branchId}/sources`; a last `{name*}` takes the rest of the path. */
  readonly path: string;
  readonly access: Access;
  readonly operationId: string;
  readonly summary: string;
  /** The answer may take as long as the client reads; others have a time limit. */
  readonly streams?: boolean;
  /** By status, what is not a refusal. */
  readonly responses: Readonly<Record<number, ResponseDescription>>;
  /** Refusals beside those that follow from access, path, query and body: see `refusalsOf`. */
  readonly refuses?: readonly ApiErrorName[];
}

/**
 * A body is JSON by a schema, or taken as bytes. `fields`: JSON or a form, fields that are objects or arrays as `JsonText`; absent is the
 * same as without fields. `stream`: bytes of any number, as they come; the handler gets a `Readable`.
 */
export type BodyKind = 'none' | 'json' | 'fields' | 'bytes' | 'stream';

export interface RawInput {
  readonly params: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
  /** Parsed JSON, fields or bytes, by the route's `bodyKind`. */
  readonly body: unknown;
}

/** Answers a request whose shape is right. */
type Answer<Knowledge extends Call> = (context: ApiContext, call: Knowledge) => Promise<Reply>;

interface Served<Knowledge extends Call> extends RouteDescription {
  readonly bodyKind: BodyKind;
  readonly schemas: { readonly params?: z.ZodType; readonly query?: z.ZodType; readonly body?: z.ZodType };
  /** Validates body, then path, then query; rejects with the refusal that names what is wrong. */
  prepare(input: RawInput): Promise<Answer<Knowledge>>;
}

/** An endpoint: enough to serve it and to describe it. One that changes something is served by the process that holds the seat. */
export type Route = (Served<Call> & { readonly changes: false }) | (Served<ChangeCall> & { readonly changes: true });

export interface RouteSpec<Knowledge extends Call, Params, Query, Body> extends RouteDescription {
  readonly bodyKind?: BodyKind;
  readonly params?: z.ZodType<Params>;
  readonly query?: z.ZodType<Query>;
  readonly body?: z.ZodType<Body>;
  readonly elements?: BodyElements;
  handle(
    input: { readonly params: Params; readonly query: Query; readonly body: Body },
    context: ApiContext,
    call: Knowledge,
  ): Promise<Reply>;
}

/** Makes a route that changes nothing of its description, its schemas and its handler. */
export function defineRoute<Params = unknown, Query = unknown, Body = unknown>(
  spec: RouteSpec<Call, Params, Query, Body>,
): Route {
  return { ...served(spec), changes: false };
}

/** Makes a route that changes something. Its handler gives the change to the operation that makes it. */
export function defineChange<Params = unknown, Query = unknown, Body = unknown>(
  spec: RouteSpec<ChangeCall, Params, Query, Body>,
): Route {
  return { ...served(spec), changes: true };
}

const nothing: z.ZodType = z.unknown();

function served<Knowledge extends Call, Params, Query, Body>(
  spec: RouteSpec<Knowledge, Params, Query, Body>,
): Served<Knowledge> {
  const { params, query, body, elements, bodyKind = body === undefined ? 'none' : 'json', ...description } = spec;
  return {
    ...description,
    bodyKind,
    schemas: {
      ...(params === undefined ? {} : { params }),
      ...(query === undefined ? {} : { query }),
      ...(body === undefined ? {} : { body }),
    },
    prepare: async (input) => {
      const parsed = {
        body: await checkBody(body ?? (nothing as z.ZodType<Body>), input.body, elements),
        params: check(params ?? (nothing as z.ZodType<Params>), input.params, 'path'),
        query: check(query ?? (nothing as z.ZodType<Query>), input.query, 'query'),
      };
      return (context, call) => spec.handle(parsed, context, call);
    },
  };
}

function check<Value>(schema: z.ZodType<Value>, value: unknown, place: Exclude<InputPlace, 'body'>): Value {
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  throw validationError(result.error.issues, place);
}

/** The answer of an asynchronous operation. */
export function accepted(body: object): Reply {
  return { kind: 'json', status: 202, body };
}

export function ok(body: object): Reply {
  return { kind: 'json', status: 200, body };
}
