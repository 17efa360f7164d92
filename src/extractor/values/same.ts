import { isList, isObject, type JsonValue } from './json-value.ts';

/** True for the same values, of the same types, with their keys in the same order. */
export function isSame(one: JsonValue, other: JsonValue): boolean {
  if (isList(one)) {
    if (!isList(other) || one.length !== other.length) return false;
    return one.every((value, at) => isSame(value, other[at] ?? null));
  }
  if (!isObject(one)) return Object.is(one, other);
  if (!isObject(other)) return false;
  const [names, others] = [Object.keys(one), Object.keys(other)];
  if (names.length !== others.length) return false;
  return names.every((name, at) => name === others[at] && isSame(one[name] ?? null, other[name] ?? null));
}
