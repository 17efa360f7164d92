import type { Evaluation } from '../evaluation.ts';
import type { ArrayValue, Slot } from '../values/value.ts';

/** An array that grows by whole arrays: each element costs a step, and the limit is checked before it is passed. */
export class ArrayBuilder {
  readonly elements: Slot[] = [];
  readonly #evaluation: Evaluation;

  constructor(evaluation: Evaluation) {
    this.#evaluation = evaluation;
  }

  append(array: ArrayValue): void {
    const length = this.elements.length + array.length;
    if (length > this.#evaluation.limits.arrayLength) this.#evaluation.array(length);
    this.#evaluation.steps(array.length);
    for (const slot of array) this.elements.push(slot);
  }
}
