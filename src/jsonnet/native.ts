import type { Evaluation } from './evaluation.ts';
import type { Builtin } from './std/builtin.ts';
import type { Value } from './values/value.ts';

/** What `template.evaluate` gets for the natives: the event, for example. The engine only passes it on. */
export type EvaluationContext = unknown;

export type NativeArguments = readonly (Value | undefined)[];

/**
 * A function of the host: a name in the template (`Body('a')`) and the result of `std.native('Body')`. Arguments arrive
 * computed, `undefined` for optional ones that were not given. It refuses with `throw evaluation.error(message)`.
 */
export interface Native {
  /** Names in order, `name` or `name|alias`; a `?` at the end marks one that may be left out. */
  readonly parameters: readonly string[];
  run(args: NativeArguments, context: EvaluationContext, evaluation: Evaluation): Value;
  /**
   * Asked once for each call in a template whose arguments are all literals (`undefined` for one not given): what it
   * returns runs in place of `run`.
   */
  specialize?(constants: NativeArguments): ((context: EvaluationContext, evaluation: Evaluation) => Value) | undefined;
  /**
   * Asked once for each call in a template, with its literals (`undefined` for all other arguments): why it can be right for
   * no event, which refuses the template. Arguments that do not fit the parameters refuse it anyway.
   */
  refusal?(constants: NativeArguments): string | undefined;
}

/** A native in the form of a function of `std`, so that both are called the same way. */
export function nativeBuiltin(name: string, native: Native): Builtin {
  const parameters = native.parameters.map((text) => {
    const optional = text.endsWith('?');
    const [called = '', alias] = (optional ? text.slice(0, -1) : text).split('|');
    return { name: called, alias, optional, lazy: false, accepts: [] };
  });
  return {
    name,
    parameters,
    // Strict arguments are values; the type of the list does not tell.
    invoke: (args, evaluation) => native.run(args as NativeArguments, evaluation.surroundings.context, evaluation),
    specialize: (constants, complete) => {
      const run = complete ? native.specialize?.(constants) : undefined;
      return run && ((_args, evaluation) => run(evaluation.surroundings.context, evaluation));
    },
    refusal: (constants) => native.refusal?.(constants),
  };
}
