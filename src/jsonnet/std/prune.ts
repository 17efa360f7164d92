import type { Evaluation } from '../evaluation.ts';
import { fieldValue, visibleNames } from '../values/object-fields.ts';
import { objectOf } from '../values/slot-layer.ts';
import { isArray, isObject, type ArrayValue, type ObjectValue, type Slot, type Value } from '../values/value.ts';

/** The value without the nulls, empty arrays and empty objects in it, those included that pruning empties. */
export function prune(value: Value, evaluation: Evaluation): Value {
  if (isArray(value)) return prunedArray(value, evaluation);
  return isObject(value) ? objectOf(prunedFields(value, evaluation)) : value;
}

/** `undefined` when nothing is left. */
function content(value: Value, evaluation: Evaluation): Value | undefined {
  if (value === null) return undefined;
  if (isArray(value)) {
    const array = prunedArray(value, evaluation);
    return array.length > 0 ? array : undefined;
  }
  if (!isObject(value)) return value;
  const fields = prunedFields(value, evaluation);
  return fields.size > 0 ? objectOf(fields) : undefined;
}

function prunedArray(array: ArrayValue, evaluation: Evaluation): ArrayValue {
  evaluation.enter();
  evaluation.array(array.length);
  evaluation.late(1);
  const kept: Slot[] = [];
  for (const slot of array) {
    const left = content(evaluation.force(slot), evaluation);
    if (left !== undefined) kept.push(left);
  }
  evaluation.leave();
  return kept;
}

function prunedFields(object: ObjectValue, evaluation: Evaluation): Map<string, Slot> {
  evaluation.enter();
  const kept = new Map<string, Slot>();
  const names = visibleNames(object, evaluation);
  evaluation.late(names.length + 5);
  for (const name of names) {
    const left = content(fieldValue(object, name, evaluation) ?? null, evaluation);
    if (left !== undefined) kept.set(name, left);
  }
  evaluation.leave();
  return kept;
}
