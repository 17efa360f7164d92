import type { Evaluation } from '../evaluation.ts';
import type { Slot, Value } from './value.ts';

/** A parameter as a caller sees it. */
export interface Parameter {
  readonly name: string;
  /** Another name that callers may use. */
  readonly alias?: string | undefined;
  readonly optional: boolean;
}

/** Arguments by name, in the order they were written. */
export type NamedSlots = readonly (readonly [name: string, slot: Slot])[];

/** A function of the template, of `std` or of the host. Call it through `evaluation.call`, which counts depth and steps. */
export abstract class FunctionValue {
  abstract readonly parameters: readonly Parameter[];

  /** Calls with positional arguments; refuses too many and missing ones. */
  abstract apply(args: readonly Slot[], evaluation: Evaluation): Value;

  /** `apply` with one argument. */
  apply1(argument: Slot, evaluation: Evaluation): Value {
    return this.apply([argument], evaluation);
  }

  /** `apply` with two arguments. */
  apply2(first: Slot, second: Slot, evaluation: Evaluation): Value {
    return this.apply([first, second], evaluation);
  }

  /** Calls with positional arguments, then named ones; refuses unknown and repeated names. */
  abstract applyNamed(args: readonly Slot[], named: NamedSlots, evaluation: Evaluation): Value;
}
