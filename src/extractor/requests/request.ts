import type { HttpRequest } from '../../ports/http-client.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { isList, isObject, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { jsonText } from '../values/json-text.ts';
import { isEmpty } from '../values/loose.ts';
import { paramPairs, queryOf, queryParams } from '../values/query-text.ts';
import type { JobRequest } from '../pagination/scroller.ts';

export type JobMethod = 'GET' | 'POST' | 'FORM';

/** Reads `method` of a job. */
export function parseMethod(value: JsonValue | undefined): JobMethod {
  if (value === undefined || isEmpty(value)) return 'GET';
  const name = typeof value === 'string' ? value.toUpperCase() : '';
  if (name === 'GET' || name === 'POST' || name === 'FORM') return name;
  throw new ExtractorError('The "method" property must be on of "GET", "POST", "FORM".');
}

/** The address of a request: its endpoint, resolved against the base as links on a page are (RFC 3986). */
export function addressOf(endpoint: string, baseUrl: string): string {
  try {
    return new URL(endpoint, baseUrl).href;
  } catch {
    throw new ExtractorError(`The endpoint "${endpoint}" is no address below "${baseUrl}".`);
  }
}

/** The request of a job: GET has its parameters in the query, POST in a JSON text, FORM in a form. */
export function httpRequest(job: JobRequest, baseUrl: string): HttpRequest {
  const url = addressOf(job.endpoint, baseUrl);
  const headers = headerTexts(job.headers);
  const method = parseMethod(job.method);
  switch (method) {
    case 'GET':
      return { method, url: withQuery(url, job.params), headers };
    case 'POST':
      return { method, url, headers: typed(headers, 'application/json'), body: jsonText(job.params) };
    case 'FORM':
      return {
        method: 'POST',
        url,
        headers: typed(headers, 'application/x-www-form-urlencoded'),
        body: queryOf(paramPairs(job.params)),
      };
    default:
      return method satisfies never;
  }
}

/** Headers with the type of a body, unless they name one. */
function typed(headers: Headers, type: string): Headers {
  const isTyped = Object.keys(headers).some((name) => name.toLowerCase() === 'content-type');
  return isTyped ? headers : { 'Content-Type': type, ...headers };
}

type Headers = HttpRequest['headers'];

/** A list is the values of a header that comes several times. */
function headerText(name: string, value: JsonValue): string {
  if (isList(value)) return value.map((one) => headerText(name, one)).join(', ');
  if (isObject(value))
    throw new ExtractorError(`Invalid configuration: invalid type "object" in headers at path: ${name}`);
  if (value === null || value === false) return '';
  return value === true ? '1' : String(value).trim();
}

/** Headers of which the later ones count, whatever the case of their names is. */
export function mergedHeaders(headers: Headers, later: Headers): Headers {
  const names = new Set(Object.keys(later).map((name) => name.toLowerCase()));
  const kept = Object.entries(headers).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...later };
}

/**
 * The same for what a login adds: a parameter that the query has with another value becomes a list of both, behind the others. APIs with
 * such logins are asked like that by the public extractor.
 */
export function withJoinedQuery(address: string, params: JsonObject): string {
  const pairs = paramPairs(params);
  if (pairs.length === 0) return address;
  const url = new URL(address);
  const all = new Map(queryParams(url.search));
  const lists: [name: string, values: ReadonlySet<string>][] = [];
  for (const [name, value] of pairs) {
    const before = all.get(name);
    if (before === undefined) all.set(name, value);
    else {
      all.delete(name);
      lists.push([name, new Set([before, value])]);
    }
  }
  const joined = lists.flatMap(([name, values]) =>
    [...values].map((value, at): [string, string] => [`${name}[${at}]`, value]),
  );
  url.search = queryOf([...all, ...joined]);
  return url.href;
}

/** A URL may have the password of its user in it. */
export function withoutUser(address: string): string {
  const url = new URL(address);
  url.username = '';
  url.password = '';
  return url.href;
}

/** Parameters that the query of the address has already take their value there; the others follow. */
export function withQuery(address: string, params: JsonObject): string {
  const pairs = paramPairs(params);
  if (pairs.length === 0) return address;
  const url = new URL(address);
  const all = new Map(queryParams(url.search));
  for (const [name, value] of pairs) all.set(name, value);
  url.search = queryOf([...all]);
  return url.href;
}

/** These say how a connection carries a request, which the client does by itself. */
const ofConnection: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** Headers of a configuration as they are sent; null is none. One that cannot be sent is an `ExtractorError`. */
export function headerTexts(headers: JsonObject): Headers {
  const texts: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === null || ofConnection.has(name.toLowerCase())) continue;
    const text = headerText(name, value);
    if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name)) throw new ExtractorError(`"${name}" cannot be the name of a header.`);
    // The value may be a secret.
    if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
      throw new ExtractorError(`The value of the header "${name}" has a character that no header may have.`);
    texts[name] = text;
  }
  return texts;
}
