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
  const ordered = orderArguments(parameters, { positional, named });
  if (ordered.kind === 'misfit') throw evaluation.error(ordered.message);
  return ordered.ordered;
}

/** What fits the parameters, `undefined` for an optional one that was not given, or why it does not fit. */
export type OrderedArguments<T> =
  | { readonly kind: 'ordered'; readonly ordered: (T | undefined)[] }
  | { readonly kind: 'misfit'; readonly message: string };

/** Puts what a call gives, values or expressions, in the order of the parameters. */
export function orderArguments<T>(
  parameters: readonly Parameter[],
  { positional, named }: { readonly positional: readonly T[]; readonly named: readonly (readonly [string, T])[] },
): OrderedArguments<T> {
  if (positional.length > parameters.length) {
    return misfit(`function expected ${parameters.length} positional argument(s), but got ${positional.length}`);
  }
  const ordered: (T | undefined)[] = parameters.map((_parameter, index) => positional[index]);
  for (const [name, given] of named) {
    const index = parameters.findIndex((parameter) => parameter.name === name || parameter.alias === name);
    if (index < 0) return misfit(`function has no parameter ${name}`);
    if (ordered[index] !== undefined) return misfit(`Argument ${name} already provided`);
    ordered[index] = given;
  }
  const missing = parameters.find(({ optional }, index) => !optional && ordered[index] === undefined);
  return missing === undefined ? { kind: 'ordered', ordered } : misfit(`Missing argument: ${missing.name}`);
}

function misfit(message: string): OrderedArguments<never> {
  return { kind: 'misfit', message };
}
