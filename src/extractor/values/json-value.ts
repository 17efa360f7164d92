/** A value of a configuration or of a page. An integer that a number does not hold exactly is a bigint. */
export type JsonValue =
  null | boolean | number | bigint | string | readonly JsonValue[] | { readonly [key: string]: JsonValue };

export type JsonObject = { readonly [key: string]: JsonValue };

export function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

export function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !isList(value);
}

/** The field of that name; undefined also for what every object of JavaScript has. */
export function fieldOf(object: JsonObject, name: string): JsonValue | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** A value as messages show it: a text as it is, everything else as JSON. */
export function shown(value: JsonValue | undefined): string {
  if (typeof value === 'string') return value;
  return typeof value === 'bigint' ? String(value) : JSON.stringify(value ?? null, withDigits);
}

/** A bigint would be a fault. */
function withDigits(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? String(value) : value;
}

/** The value at a path of keys and of positions in arrays; undefined where there is none. */
export function valueAt(value: JsonValue, path: string, delimiter = '.'): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const step of path.split(delimiter)) {
    if (isList(found)) found = /^\d+$/.test(step) ? found[Number(step)] : undefined;
    else if (isObject(found)) found = fieldOf(found, step);
    else return undefined;
  }
  return found;
}
