import type { Evaluation } from '../evaluation.ts';
import { compare } from '../operators/compare.ts';
import type { FunctionValue } from '../values/function-value.ts';
import type { ArrayValue, Slot, Value } from '../values/value.ts';
import { keyOf } from './key-of.ts';

interface Entry {
  readonly key: Value;
  readonly slot: Slot;
}

/** The elements in the order of their keys; equal ones keep their order. Keys are computed once for each element. */
export function sortElements(
  elements: ArrayValue,
  keyF: FunctionValue | undefined,
  evaluation: Evaluation,
): ArrayValue {
  evaluation.array(elements.length);
  // A comparison is far cheaper than a step of the template, so four of them are one step.
  evaluation.steps(Math.ceil((elements.length * Math.log2(elements.length + 1)) / 4));
  if (keyF === undefined) {
    const values = elements.map((slot) => evaluation.force(slot));
    return allNumbers(values)
      ? values.sort((left, right) => left - right)
      : values.sort((left, right) => compare(left, right, evaluation));
  }
  const entries = elements.map((slot): Entry => ({ key: keyOf(slot, keyF, evaluation), slot }));
  entries.sort((left, right) => compare(left.key, right.key, evaluation));
  return entries.map(({ slot }) => slot);
}

function allNumbers(values: Value[]): values is number[] {
  return values.every((value) => typeof value === 'number');
}
