import type { Evaluation } from '../evaluation.ts';
import { codePoints } from '../values/code-points.ts';
import type { ArrayValue } from '../values/value.ts';

/** What a function of `std` goes through: the elements of an array, the code points of a string. Charges a step each. */
export function elementsOf(value: ArrayValue | string, evaluation: Evaluation): ArrayValue {
  evaluation.array(value.length);
  return typeof value === 'string' ? codePoints(value) : value;
}
