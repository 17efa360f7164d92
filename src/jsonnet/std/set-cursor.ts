import type { Evaluation } from '../evaluation.ts';
import type { FunctionValue } from '../values/function-value.ts';
import type { ArrayValue, Slot, Value } from '../values/value.ts';
import { keyOf } from './key-of.ts';

/** A place in a set, from the first element on; computes the key of an element when it is asked for, once. */
export class SetCursor {
  readonly #elements: ArrayValue;
  readonly #keyF: FunctionValue | undefined;
  #index = 0;
  #key: Value | undefined;

  constructor(elements: ArrayValue, keyF: FunctionValue | undefined) {
    this.#elements = elements;
    this.#keyF = keyF;
  }

  /** The element here; `undefined` after the last one. */
  get element(): Slot | undefined {
    return this.#elements[this.#index];
  }

  key(evaluation: Evaluation): Value {
    this.#key ??= keyOf(this.element ?? null, this.#keyF, evaluation);
    return this.#key;
  }

  advance(): void {
    this.#index++;
    this.#key = undefined;
  }

  /** The elements from here on. */
  rest(): ArrayValue {
    return this.#elements.slice(this.#index);
  }
}
