import type { Evaluation } from '../evaluation.ts';
import { fieldValue, visibleNames } from '../values/object-fields.ts';
import {
  isArray,
  isFunction,
  isObject,
  typeName,
  type ArrayValue,
  type ObjectValue,
  type Value,
} from '../values/value.ts';

/** The operator `==`: by content; of objects the visible fields count; functions cannot be compared. */
export function equals(left: Value, right: Value, evaluation: Evaluation): boolean {
  if (typeof left === 'string') {
    if (typeof right !== 'string' || left.length !== right.length) return false;
    evaluation.scan(left.length);
    return left === right;
  }
  if (left === null || typeof left !== 'object') return left === right;
  if (typeof right !== 'object' || right === null) return false;
  if (isArray(left)) return isArray(right) && equalArrays(left, right, evaluation);
  if (isFunction(left) && isFunction(right)) throw evaluation.error('Cannot test equality of functions');
  if (isObject(left) && isObject(right)) return equalObjects(left, right, evaluation);
  return typeName(left) === typeName(right);
}

function equalArrays(left: ArrayValue, right: ArrayValue, evaluation: Evaluation): boolean {
  if (left.length !== right.length) return false;
  evaluation.enter();
  evaluation.steps(left.length);
  const areEqual = left.every((slot, index) => {
    const other = right[index] ?? null;
    return equals(evaluation.force(slot), evaluation.force(other), evaluation);
  });
  evaluation.leave();
  return areEqual;
}

function equalObjects(left: ObjectValue, right: ObjectValue, evaluation: Evaluation): boolean {
  const names = visibleNames(left, evaluation);
  const others = visibleNames(right, evaluation);
  if (names.length !== others.length || !names.every((name, index) => name === others[index])) return false;
  evaluation.enter();
  evaluation.steps(names.length);
  const areEqual = names.every((name) => {
    const value = fieldValue(left, name, evaluation) ?? null;
    return equals(value, fieldValue(right, name, evaluation) ?? null, evaluation);
  });
  evaluation.leave();
  return areEqual;
}
