import createClient, { type Client } from 'openapi-fetch';
import type { components, paths } from './api-types.ts';

export type ApiClient = Client<paths, 'application/json'>;

/** Shapes by name, for example `Schemas['Source']`. */
export type Schemas = components['schemas'];

/** A body as a caller has it: nothing in it is changed, and an optional field that is undefined is absent. */
export type Given<Shape> = Shape extends readonly (infer Item)[]
  ? readonly Given<Item>[]
  : Shape extends object
    ? { readonly [Key in keyof Shape]: Given<Shape[Key]> | (Shape extends Record<Key, unknown> ? never : undefined) }
    : Shape;

/** The same body for the client, whose types know no list that stays as it is; it changes none. */
export function given<Shape>(body: Given<Shape>): Shape {
  return body as Shape;
}

export interface ApiClientOptions {
  /** Base of the API, without a slash at the end. */
  readonly url: string;
  readonly token: string;
  /** Ends every call that runs. */
  readonly signal?: AbortSignal;
}

/**
 * The API as functions: `client.GET('/v1/tasks/{taskId}', { params: { path: { taskId } } })` resolves with `data` or with `error`, the
 * body of the refusal. Rejects when nothing answers, or with something that is not JSON.
 */
export function createApiClient({ url, token, signal }: ApiClientOptions): ApiClient {
  return createClient<paths, 'application/json'>({
    baseUrl: url,
    headers: { 'X-StorageApi-Token': token },
    pathSerializer: fillPath,
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The id of a task holds slashes and is the rest of its path: some proxies refuse encoded ones. */
function fillPath(path: string, values: Readonly<Record<string, unknown>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const text = encodeURIComponent(String(values[name]));
    return name === 'taskId' ? text.replaceAll('%2F', '/').replaceAll('%3A', ':') : text;
  });
}
