import { isList, isObject, type JsonValue } from './json-value.ts';

/** True for more arrays and objects in each other than that; no deeper than that is looked. */
export function isDeeper(value: JsonValue, levels: number): boolean {
  if (!isList(value) && !isObject(value)) return false;
  if (levels === 0) return true;
  for (const inner of isList(value) ? value : Object.values(value)) if (isDeeper(inner, levels - 1)) return true;
  return false;
}
