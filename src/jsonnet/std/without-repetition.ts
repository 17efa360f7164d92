import type { Evaluation } from '../evaluation.ts';
import { equals } from '../operators/equals.ts';
import type { FunctionValue } from '../values/function-value.ts';
import type { ArrayValue, Slot } from '../values/value.ts';
import { keyOf } from './key-of.ts';

/** The elements without those whose key equals that of the element kept before; a single element is not computed. */
export function withoutRepetition(
  elements: ArrayValue,
  keyF: FunctionValue | undefined,
  evaluation: Evaluation,
): ArrayValue {
  const [first] = elements;
  if (first === undefined || elements.length === 1) return elements;
  evaluation.array(elements.length);
  const kept: Slot[] = [first];
  let last = keyOf(first, keyF, evaluation);
  for (let index = 1; index < elements.length; index++) {
    const slot = elements[index] ?? null;
    const key = keyOf(slot, keyF, evaluation);
    if (equals(last, key, evaluation)) continue;
    kept.push(slot);
    last = key;
  }
  return kept;
}
