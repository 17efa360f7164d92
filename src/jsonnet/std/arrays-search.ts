import type { Evaluation } from '../evaluation.ts';
import { equals } from '../operators/equals.ts';
import type { ArrayValue, Value } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';
import { contains } from './text-search.ts';
import { requireInteger, requireString } from './require-value.ts';

/** Values found in arrays, counted and taken out of them. */
export const searching: readonly Builtin[] = [
  builtin('member', ['arr: array|string', 'x: any'], ([items, wanted], evaluation) => {
    if (typeof items !== 'string') return indexOf(items, wanted, evaluation) >= 0;
    const part = requireString(wanted, 'std.member: argument "x"', evaluation);
    return contains(items, part, evaluation);
  }),

  builtin('contains', ['arr: array', 'elem: any'], ([array, wanted], evaluation) => {
    return indexOf(array, wanted, evaluation) >= 0;
  }),

  builtin('count', ['arr: array', 'x: lazy'], ([array, wanted], evaluation) => {
    evaluation.steps(array.length);
    let count = 0;
    for (const slot of array) {
      if (equals(evaluation.force(slot), evaluation.force(wanted), evaluation)) count++;
    }
    return count;
  }),

  builtin('find', ['value: lazy', 'arr: array'], ([wanted, array], evaluation) => {
    evaluation.steps(array.length);
    const found: number[] = [];
    for (const [index, slot] of array.entries()) {
      if (equals(evaluation.force(slot), evaluation.force(wanted), evaluation)) found.push(index);
    }
    return found;
  }),

  builtin('remove', ['arr: array', 'elem: any'], ([array, unwanted], evaluation) =>
    without(array, indexOf(array, unwanted, evaluation), evaluation),
  ),

  builtin('removeAt', ['arr: array', 'idx: number'], ([array, index], evaluation) =>
    without(array, requireInteger(index, 'std.removeAt: argument "idx"', evaluation), evaluation),
  ),
];

/** The index of the first element that equals `wanted`, or -1; elements after it are not computed. */
function indexOf(array: ArrayValue, wanted: Value, evaluation: Evaluation): number {
  return array.findIndex((slot) => {
    evaluation.steps(1);
    return equals(evaluation.force(slot), wanted, evaluation);
  });
}

/** The array as it is when there is no element at that index. */
function without(array: ArrayValue, index: number, evaluation: Evaluation): ArrayValue {
  if (index < 0 || index >= array.length) return array;
  evaluation.array(array.length);
  return array.toSpliced(index, 1);
}
