import type { Evaluation } from '../evaluation.ts';
import { compareText } from '../values/compare-text.ts';
import { isArray, typeName, type ArrayValue, type Value } from '../values/value.ts';

/**
 * Order of two numbers, two strings (by code point) or two arrays (element by element): negative, 0 or positive. All
 * else is an error.
 */
export function compare(left: Value, right: Value, evaluation: Evaluation): number {
  if (typeof left === 'number' && typeof right === 'number') return left < right ? -1 : Number(left > right);
  if (typeof left === 'string' && typeof right === 'string') {
    evaluation.scan(Math.min(left.length, right.length));
    return compareText(left, right);
  }
  if (isArray(left) && isArray(right)) return compareArrays(left, right, evaluation);
  const type = typeName(left);
  if (type !== 'number' && type !== 'string' && type !== 'array') throw evaluation.error(`Unexpected type ${type}`);
  throw evaluation.error(`Unexpected type ${typeName(right)}, expected ${type}`);
}

function compareArrays(left: ArrayValue, right: ArrayValue, evaluation: Evaluation): number {
  const length = Math.min(left.length, right.length);
  evaluation.enter();
  evaluation.steps(length);
  for (let index = 0; index < length; index++) {
    const one = evaluation.force(left[index] ?? null);
    const order = compare(one, evaluation.force(right[index] ?? null), evaluation);
    if (order !== 0) {
      evaluation.leave();
      return order;
    }
  }
  evaluation.leave();
  return left.length - right.length;
}
