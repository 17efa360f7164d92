import type { FormValue } from './form-tree.ts';
import type { JsonValue } from './json-value.ts';

/** A form value as JSON; undefined when a text in it is not UTF-8. */
export function formJsonValue(value: FormValue): JsonValue | undefined {
  if (value === null || typeof value === 'string') return value;
  if (value instanceof Uint8Array) return undefined;
  if (Array.isArray(value)) {
    const items = value.map(formJsonValue);
    return items.every((item) => item !== undefined) ? items : undefined;
  }
  const members: [string, JsonValue][] = [];
  for (const [name, inner] of value) {
    const json = formJsonValue(inner);
    if (json === undefined) return undefined;
    members.push([name, json]);
  }
  return Object.fromEntries(members);
}
