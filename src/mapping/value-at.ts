import { isJsonObject, type JsonValue } from './json-value.ts';
import type { PathStep } from './path.ts';

/** Walks a JSON value strictly: an index enters only arrays, a key only objects. Undefined: not there. */
export function valueAt(root: JsonValue, steps: readonly PathStep[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const { kind, text } of steps) {
    if (kind === 'index') value = Array.isArray(value) ? (value as readonly JsonValue[])[Number(text)] : undefined;
    else value = isJsonObject(value) && Object.hasOwn(value, text) ? value[text] : undefined;
    if (value === undefined) return undefined;
  }
  return value;
}
