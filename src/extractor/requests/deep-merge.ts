import { fieldOf, isList, isObject, type JsonObject, type JsonValue } from '../values/json-value.ts';

/** The fields of both; where both have one, that of `over` counts, and of objects and lists the fields of both again. */
export function deepMerge(under: JsonObject, over: JsonObject): JsonObject {
  const merged: Record<string, JsonValue> = { ...under };
  for (const [name, value] of Object.entries(over)) {
    const below = fieldOf(under, name);
    if (isObject(below) && isObject(value)) merged[name] = deepMerge(below, value);
    else if (isList(below) && isList(value)) merged[name] = [...value, ...below.slice(value.length)];
    else merged[name] = value;
  }
  return merged;
}
