import type { HttpRequest } from '../../ports/http-client.ts';
import { queryParams } from '../values/query-text.ts';
import { isList, type JsonObject, type JsonValue } from '../values/json-value.ts';

/** What functions of an authentication may say of the request that they are made for: `query` and `request`. */
export function requestReferences({ method, url }: HttpRequest): Readonly<Record<'query' | 'request', JsonObject>> {
  const address = new URL(url);
  const { pathname: path, hostname, protocol } = address;
  const queryString = address.search.slice(1);
  const usualPort = protocol === 'https:' ? 443 : 80;
  return {
    query: queryValues(queryString),
    request: {
      url,
      path,
      queryString,
      method,
      hostname,
      port: address.port === '' ? usualPort : Number(address.port),
      resource: queryString === '' ? path : `${path}?${queryString}`,
    },
  };
}

/** A name that comes several times is a list. */
function queryValues(query: string): JsonObject {
  const values = new Map<string, JsonValue>();
  for (const [name, value] of queryParams(query)) {
    const known = values.get(name);
    if (known === undefined) values.set(name, value);
    else values.set(name, isList(known) ? [...known, value] : [known, value]);
  }
  return Object.fromEntries(values);
}
