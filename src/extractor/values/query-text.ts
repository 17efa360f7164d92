import { isList, isObject, type JsonObject, type JsonValue } from './json-value.ts';

/** A name and its value, not encoded. */
export type Pair = readonly [name: string, value: string];

/** Parameters as pairs, as PHP's `http_build_query` has them: nested ones by `name[key]`, true as 1, false as 0, null left out. */
export function paramPairs(params: JsonObject): readonly Pair[] {
  return Object.entries(params).flatMap(([name, value]) => pairs(name, value));
}

function pairs(name: string, value: JsonValue): readonly Pair[] {
  if (isList(value)) return value.flatMap((item, at) => pairs(`${name}[${at}]`, item));
  if (isObject(value)) return Object.entries(value).flatMap(([key, field]) => pairs(`${name}[${key}]`, field));
  if (value === null) return [];
  if (typeof value === 'boolean') return [[name, value ? '1' : '0']];
  return [[name, String(value)]];
}

/** The text of a query or a form; a blank is `+`. */
export function queryOf(all: readonly Pair[]): string {
  return all.map(([name, value]) => `${encoded(name)}=${encoded(value)}`).join('&');
}

function encoded(text: string): string {
  return encodeURIComponent(text.toWellFormed())
    .replaceAll(/[!'()*~]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)
    .replaceAll('%20', '+');
}

/** The pairs of a query, with or without its question mark. */
export function queryParams(query: string): readonly Pair[] {
  return [...new URLSearchParams(query)];
}
