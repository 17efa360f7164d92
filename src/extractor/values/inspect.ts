import { isList, type JsonValue } from './json-value.ts';

/** What a value is, all that is in it looked at once. */
export interface Inspected {
  /** Arrays and objects in each other; one more than `deepest` stands for all that are more. */
  readonly depth: number;
  /** It has an integer that a number does not hold exactly. */
  readonly hasLongInteger: boolean;
}

/** Looks no deeper than that. */
export function inspect(value: JsonValue, deepest: number): Inspected {
  let hasLongInteger = false;
  let depth = 0;

  function look(value: object, level: number): void {
    if (level > depth) depth = level;
    if (level > deepest) return;
    if (isList(value as JsonValue)) for (const inner of value as readonly JsonValue[]) lookAt(inner, level);
    // Objects of JSON have no fields but their own; arrays of their values would cost more than the looking does.
    // oxlint-disable-next-line guard-for-in
    else for (const key in value) lookAt((value as Record<string, JsonValue>)[key] ?? null, level);
  }

  function lookAt(value: JsonValue, level: number): void {
    if (typeof value === 'object') {
      if (value !== null) look(value, level + 1);
    } else if (typeof value === 'number' && !Number.isSafeInteger(value) && Number.isInteger(value)) {
      hasLongInteger = true;
    }
  }

  lookAt(value, 0);
  return { depth, hasLongInteger };
}
