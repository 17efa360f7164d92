import type { Evaluation } from '../evaluation.ts';
import type { Code, Frame } from './frame.ts';
import type { FunctionValue } from './function-value.ts';
import type { Slot, Value } from './value.ts';

/** A value computed at its first use and at most once; an error is thrown again at each use. */
export class Thunk {
  #code: Code | undefined;
  #frame: Frame | undefined;
  #value: Value = null;

  constructor(code: Code, frame: Frame) {
    this.#code = code;
    this.#frame = frame;
  }

  force(evaluation: Evaluation): Value {
    if (this.#code === undefined) return this.#value;
    return this.#compute(this.#code, evaluation);
  }

  #compute(code: Code, evaluation: Evaluation): Value {
    evaluation.enter();
    const value = code(this.#frame ?? [], evaluation);
    evaluation.leave();
    this.#value = value;
    this.#code = undefined;
    this.#frame = undefined;
    return value;
  }
}

/** A late value that is computed by `compute`, for `std`: `lazy((evaluation) => …)`. */
export function lazy(compute: (evaluation: Evaluation) => Value): Thunk {
  return new Thunk((_frame, evaluation) => compute(evaluation), []);
}

/** A late call with one argument, the cheapest way for `std` to map an array: nothing is made but the late value. */
export function lateCall(callee: FunctionValue, argument: Slot): Thunk {
  return new Thunk(callFrame, [callee, argument]);
}

/** The frame of a late call: the function and its argument. */
const callFrame: Code = (frame, evaluation) => evaluation.call1(frame[0] as FunctionValue, frame[1] ?? null);
