import { isJsonObject, type JsonValue } from './json-value.ts';
import type { PathStep } from './path.ts';

/** A step that is made ready for many walks. */
export interface ReadyStep {
  readonly key: string;
  /** -1 for a key. */
  readonly index: number;
  /** Whether every object has a member of this name, so that only its own ones count. */
  readonly isInherited: boolean;
}

export function readySteps(steps: readonly PathStep[]): readonly ReadyStep[] {
  return steps.map(({ kind, text }) => ({
    key: text,
    index: kind === 'index' ? Number(text) : -1,
    isInherited: text in Object.prototype,
  }));
}

/** Walks a JSON value strictly: an index enters only arrays, a key only objects. Undefined: not there. */
export function valueAt(root: JsonValue, steps: readonly ReadyStep[]): JsonValue | undefined {
  let value: JsonValue | undefined = root;
  for (const { key, index, isInherited } of steps) {
    if (index >= 0) value = Array.isArray(value) ? (value as readonly JsonValue[])[index] : undefined;
    else if (!isJsonObject(value) || (isInherited && !Object.hasOwn(value, key))) return undefined;
    else value = value[key];
    if (value === undefined) return undefined;
  }
  return value;
}
