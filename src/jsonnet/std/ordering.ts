import type { Evaluation } from '../evaluation.ts';
import { compare } from '../operators/compare.ts';
import type { FunctionValue } from '../values/function-value.ts';
import type { ArrayValue, Slot, Value } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';
import { elementsOf } from './elements-of.ts';
import { keyOf } from './key-of.ts';
import { sortElements } from './sort-elements.ts';
import { withoutRepetition } from './without-repetition.ts';

/** Arrays put in order, and the first and last in order. */
export const ordering: readonly Builtin[] = [
  /** What `keyF` is when it is not given. */
  builtin('id', ['x: any'], ([value]) => value),

  builtin('sort', ['arr: array', 'keyF?: function'], ([array, keyF], evaluation) =>
    sortElements(array, keyF, evaluation),
  ),

  builtin('uniq', ['arr: array|string', 'keyF?: function'], ([items, keyF], evaluation) =>
    withoutRepetition(elementsOf(items, evaluation), keyF, evaluation),
  ),

  builtin('minArray', ['arr: array', 'keyF?: function', 'onEmpty?: lazy'], ([array, keyF, onEmpty], evaluation) =>
    extreme({ name: 'minArray', sign: 1, array, keyF, onEmpty }, evaluation),
  ),

  builtin('maxArray', ['arr: array', 'keyF?: function', 'onEmpty?: lazy'], ([array, keyF, onEmpty], evaluation) =>
    extreme({ name: 'maxArray', sign: -1, array, keyF, onEmpty }, evaluation),
  ),
];

interface Search {
  readonly name: string;
  /** 1 looks for the smallest key, -1 for the largest. */
  readonly sign: 1 | -1;
  readonly array: ArrayValue;
  readonly keyF: FunctionValue | undefined;
  readonly onEmpty: Slot | undefined;
}

/** Of elements with equal keys the first. */
function extreme({ name, sign, array, keyF, onEmpty }: Search, evaluation: Evaluation): Value {
  const [first] = array;
  if (first === undefined) {
    if (onEmpty !== undefined) return evaluation.force(onEmpty);
    throw evaluation.error(`std.${name}: Expected at least one element in array. Got none`);
  }
  evaluation.steps(array.length);
  let found = { slot: first, key: keyOf(first, keyF, evaluation) };
  for (let index = 1; index < array.length; index++) {
    const slot = array[index] ?? null;
    const key = keyOf(slot, keyF, evaluation);
    if (compare(found.key, key, evaluation) * sign > 0) found = { slot, key };
  }
  return evaluation.force(found.slot);
}
