import { JsonnetError } from './jsonnet-error.ts';
import type { Limits } from './limits.ts';
import { valueText } from './manifest/value-text.ts';
import { add } from './operators/add.ts';
import type { SharedSteps } from './shared-steps.ts';
import type { Code, Frame } from './values/frame.ts';
import type { FunctionValue } from './values/function-value.ts';
import { Thunk } from './values/thunk.ts';
import type { Slot, Value } from './values/value.ts';

/** What the host gives an evaluation besides the template. */
export interface Surroundings {
  readonly limits: Limits;
  /** What `template.evaluate` was called with; natives read it. */
  readonly context: unknown;
  /** `std.extVar`: a value for each registered name. */
  readonly extVars: Readonly<Record<string, Value>>;
  /** `std.native`: a function for each registered name. */
  readonly natives: Readonly<Record<string, FunctionValue>>;
  /** What other evaluations have left of the steps that they share with this one. */
  readonly sharedSteps?: SharedSteps | undefined;
}

/** A late value takes about 120 bytes until it is computed: with these, two million steps stay under 64 MB. */
const lateSteps = 4;

/**
 * One run of a template: counts what it uses and refuses what is above the limits. `std` functions get it with their
 * arguments. Errors are thrown as `throw evaluation.error(…)`; limits throw by themselves.
 */
export class Evaluation {
  readonly surroundings: Surroundings;
  readonly limits: Limits;
  /** A call that a tail-strict call left to the function around it; see `compiler/tail-call.ts`. */
  tail: { readonly body: Code; readonly frame: Frame } | undefined;
  readonly #stepsGiven: number;
  #stepsLeft: number;
  #depthLeft: number;

  constructor(surroundings: Surroundings) {
    this.surroundings = surroundings;
    this.limits = surroundings.limits;
    const { sharedSteps } = surroundings;
    this.#stepsGiven = Math.min(surroundings.limits.steps, sharedSteps?.left ?? Infinity);
    this.#stepsLeft = this.#stepsGiven;
    this.#depthLeft = surroundings.limits.depth;
  }

  /** Charges `count` steps. Call it in every loop of `std`: once with the number of turns where that is known. */
  steps(count: number): void {
    this.#stepsLeft -= count;
    if (this.#stepsLeft >= 0) return;
    const { sharedSteps } = this.surroundings;
    const isOwn = sharedSteps === undefined || this.#stepsGiven === this.limits.steps;
    const most = isOwn ? `${this.limits.steps} steps` : `${sharedSteps.most} steps in all templates of a row`;
    throw this.#tooMuch('steps', `more than ${most}`);
  }

  /** Takes what was used of the steps that others share. The evaluation is over. */
  end(): void {
    this.surroundings.sharedSteps?.take(this.#stepsGiven - this.#stepsLeft);
  }

  /** Charges the reading of a whole string of this length (in UTF-16 units), as a search or a comparison does. */
  scan(length: number): void {
    this.steps(length >> 5);
  }

  /** Call before making a string of this length (in UTF-16 units): checks the limit and charges the work. */
  text(length: number): void {
    if (length > this.limits.textLength) {
      throw this.#tooMuch('textLength', `a string of more than ${this.limits.textLength} characters`);
    }
    this.steps(length >> 5);
  }

  /** Call before making an array of this length: checks the limit and charges a step for each element. */
  array(length: number): void {
    if (length > this.limits.arrayLength) {
      throw this.#tooMuch('arrayLength', `an array of more than ${this.limits.arrayLength} elements`);
    }
    this.steps(length);
  }

  /** Call before making late values: their memory costs steps, so that the steps bound the heap. An object is five. */
  late(count: number): void {
    this.steps(count * lateSteps);
  }

  /** Begins a frame: a call, a field, a late value; `leave` ends it. A frame that ends in an error needs no `leave`. */
  enter(): void {
    if (--this.#stepsLeft < 0) this.steps(0);
    if (--this.#depthLeft < 0) throw this.stackExceeded();
  }

  leave(): void {
    this.#depthLeft++;
  }

  force(slot: Slot): Value {
    return slot instanceof Thunk ? slot.force(this) : slot;
  }

  /** Calls a function with positional arguments, each a value or late. */
  call(callee: FunctionValue, args: readonly Slot[]): Value {
    return callee.apply(args, this);
  }

  /** Calls a function with one argument. */
  call1(callee: FunctionValue, argument: Slot): Value {
    return callee.apply1(argument, this);
  }

  /** Calls a function with two arguments. */
  call2(callee: FunctionValue, first: Slot, second: Slot): Value {
    return callee.apply2(first, second, this);
  }

  /** The text of a value in a string: a string as it is, all else as JSON in one line with spaces (`std.toString`). */
  toText(value: Value): string {
    return typeof value === 'string' ? value : valueText(value, this);
  }

  /** The operator `+`. */
  add(left: Value, right: Value): Value {
    return add(left, right, this);
  }

  /** A runtime error; it gets the place of the expression that is being evaluated. */
  error(message: string): JsonnetError {
    return new JsonnetError('runtime', message);
  }

  stackExceeded(): JsonnetError {
    return new JsonnetError('limit', 'max stack frames exceeded', { limit: 'depth' });
  }

  #tooMuch(limit: keyof Limits, what: string): JsonnetError {
    return new JsonnetError('limit', `limit ${limit} exceeded: ${what}`, { limit });
  }
}
