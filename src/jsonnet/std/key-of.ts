import type { Evaluation } from '../evaluation.ts';
import type { FunctionValue } from '../values/function-value.ts';
import type { Slot, Value } from '../values/value.ts';

/** What an element is compared by: `keyF` of it, or the element itself. */
export function keyOf(element: Slot, keyF: FunctionValue | undefined, evaluation: Evaluation): Value {
  return keyF === undefined ? evaluation.force(element) : evaluation.call1(keyF, element);
}
