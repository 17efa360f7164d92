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
  /** Names in order; a `?` at the end marks one that may be left out. */
  readonly parameters: readonly string[];
  run(args: NativeArguments, context: EvaluationContext, evaluation: Evaluation): Value;
  /**
   * Asked once for each call in a template whose arguments are all literals (`undefined` for one not given): what it
   * returns runs in place of `run`.
   */
  specialize?(constants: NativeArguments): ((context: EvaluationContext, evaluation: Evaluation) => Value) | undefined;
}

/** A native in the form of a function of `std`, so that both are called the same way. */
export function nativeBuiltin(name: string, native: Native): Builtin {
  const parameters = native.parameters.map((text) => {
    const optional = text.endsWith('?');
    return { name: optional ? text.slice(0, -1) : text, optional, lazy: false, accepts: [] };
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
  };
}
