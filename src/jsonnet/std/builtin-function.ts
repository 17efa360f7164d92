import type { Evaluation } from '../evaluation.ts';
import { bindArguments, type Arguments } from '../values/bind-arguments.ts';
import { FunctionValue, type NamedSlots } from '../values/function-value.ts';
import type { Slot, Value } from '../values/value.ts';
import type { Builtin } from './builtin.ts';

/** A function of `std` as a value of the language. */
export class BuiltinFunction extends FunctionValue {
  readonly builtin: Builtin;

  constructor(builtin: Builtin) {
    super();
    this.builtin = builtin;
  }

  get parameters(): Builtin['parameters'] {
    return this.builtin.parameters;
  }

  apply(args: readonly Slot[], evaluation: Evaluation): Value {
    return this.#call({ positional: args, named: [] }, evaluation);
  }

  applyNamed(args: readonly Slot[], named: NamedSlots, evaluation: Evaluation): Value {
    return this.#call({ positional: args, named }, evaluation);
  }

  #call(given: Arguments, evaluation: Evaluation): Value {
    const { parameters } = this.builtin;
    const bound = bindArguments(parameters, given, evaluation);
    for (let index = 0; index < bound.length; index++) {
      const slot = bound[index];
      if (slot !== undefined && parameters[index]?.lazy === false) bound[index] = evaluation.force(slot);
    }
    evaluation.steps(1);
    return this.builtin.invoke(bound, evaluation);
  }
}
