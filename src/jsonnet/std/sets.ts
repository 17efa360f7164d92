import type { Evaluation } from '../evaluation.ts';
import { compare } from '../operators/compare.ts';
import { equals } from '../operators/equals.ts';
import type { FunctionValue } from '../values/function-value.ts';
import type { ArrayValue, Slot, Value } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';
import { elementsOf } from './elements-of.ts';
import { SetCursor } from './set-cursor.ts';
import { sortElements } from './sort-elements.ts';
import { withoutRepetition } from './without-repetition.ts';

/** Sets: sorted arrays without duplicates. Arrays that are none give results without meaning, as published. */
export const sets: readonly Builtin[] = [
  builtin('set', ['arr: array', 'keyF?: function'], ([array, keyF], evaluation) =>
    withoutRepetition(sortElements(array, keyF, evaluation), keyF, evaluation),
  ),

  builtin('setInter', ['a: array|string', 'b: array|string', 'keyF?: function'], ([a, b, keyF], evaluation) =>
    combine({ a, b, keyF, keep: { a: false, both: true, b: false } }, evaluation),
  ),

  builtin('setUnion', ['a: array|string', 'b: array|string', 'keyF?: function'], ([a, b, keyF], evaluation) =>
    combine({ a, b, keyF, keep: { a: true, both: true, b: true } }, evaluation),
  ),

  builtin('setDiff', ['a: array|string', 'b: array|string', 'keyF?: function'], ([a, b, keyF], evaluation) =>
    combine({ a, b, keyF, keep: { a: true, both: false, b: false } }, evaluation),
  ),

  builtin('setMember', ['x: lazy', 'arr: array|string', 'keyF?: function'], ([x, arr, keyF], evaluation) => {
    const found = combine({ a: [x], b: arr, keyF, keep: { a: false, both: true, b: false } }, evaluation);
    return found.length > 0;
  }),
];

interface Combination {
  readonly a: ArrayValue | string;
  readonly b: ArrayValue | string;
  readonly keyF: FunctionValue | undefined;
  /** Which elements are kept: those of `a` only, those of both (as they are in `a`), those of `b` only. */
  readonly keep: { readonly a: boolean; readonly both: boolean; readonly b: boolean };
}

function combine({ a, b, keyF, keep }: Combination, evaluation: Evaluation): ArrayValue {
  const left = new SetCursor(typeof a === 'string' ? elementsOf(a, evaluation) : a, keyF);
  const right = new SetCursor(typeof b === 'string' ? elementsOf(b, evaluation) : b, keyF);
  const kept: Slot[] = [];
  for (;;) {
    const [one, other] = [left.element, right.element];
    if (one === undefined || other === undefined) break;
    evaluation.steps(1);
    const order = orderOf(left.key(evaluation), right.key(evaluation), evaluation);
    if (order === 0 && keep.both) kept.push(one);
    if (order < 0 && keep.a) kept.push(one);
    if (order > 0 && keep.b) kept.push(other);
    if (order <= 0) left.advance();
    if (order >= 0) right.advance();
  }
  const rest = [...(keep.a ? left.rest() : []), ...(keep.b ? right.rest() : [])];
  evaluation.array(kept.length + rest.length);
  return kept.concat(rest);
}

/** Values that have no order may still be equal. */
function orderOf(left: Value, right: Value, evaluation: Evaluation): number {
  return equals(left, right, evaluation) ? 0 : compare(left, right, evaluation);
}
