/** A JSON value as `JSON.parse` makes it. Read objects with `Object.hasOwn`: a field may be named like a member of the prototype. */
export type JsonValue = null | boolean | number | string | readonly JsonValue[] | JsonObject;

export interface JsonObject {
  readonly [name: string]: JsonValue;
}

export function isJsonObject(value: JsonValue): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
