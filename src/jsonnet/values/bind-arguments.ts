import type { Evaluation } from '../evaluation.ts';
import type { NamedSlots, Parameter } from './function-value.ts';
import type { Slot } from './value.ts';

/** What a call gives. */
export interface Arguments {
  readonly positional: readonly Slot[];
  readonly named: NamedSlots;
}

/** Puts arguments in the order of the parameters, `undefined` where an optional one was not given. */
export function bindArguments(
  parameters: readonly Parameter[],
  { positional, named }: Arguments,
  evaluation: Evaluation,
): (Slot | undefined)[] {
  if (positional.length > parameters.length) {
    throw evaluation.error(
      `function expected ${parameters.length} positional argument(s), but got ${positional.length}`,
    );
  }
  const bound: (Slot | undefined)[] = parameters.map((_parameter, index) => positional[index]);
  for (const [name, slot] of named) {
    const index = parameters.findIndex((parameter) => parameter.name === name);
    if (index < 0) throw evaluation.error(`function has no parameter ${name}`);
    if (bound[index] !== undefined) throw evaluation.error(`Argument ${name} already provided`);
    bound[index] = slot;
  }
  const missing = parameters.find(({ optional }, index) => !optional && bound[index] === undefined);
  if (missing !== undefined) throw evaluation.error(`Missing argument: ${missing.name}`);
  return bound;
}
