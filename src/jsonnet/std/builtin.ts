import type { Evaluation } from '../evaluation.ts';
import type { FunctionValue, Parameter } from '../values/function-value.ts';
import { Thunk } from '../values/thunk.ts';
import { typeName, type ArrayValue, type ObjectValue, type Slot, type TypeName, type Value } from '../values/value.ts';

/** What a parameter's type may be called in a declaration, and what the function then gets. */
interface Accepted {
  readonly any: Value;
  readonly null: null;
  readonly boolean: boolean;
  readonly number: number;
  readonly string: string;
  readonly array: ArrayValue;
  readonly object: ObjectValue;
  readonly function: FunctionValue;
  /** Not computed and not checked: `evaluation.force` it. */
  readonly lazy: Slot;
}

type OfUnion<T extends string> = T extends `${infer A}|${infer B}`
  ? OfUnion<A> | OfUnion<B>
  : T extends keyof Accepted
    ? Accepted[T]
    : never;

type ArgumentOf<T extends string> = T extends `${string}?: ${infer U}`
  ? OfUnion<U> | undefined
  : T extends `${string}: ${infer U}`
    ? OfUnion<U>
    : never;

type ArgumentsOf<T extends readonly string[]> = { readonly [I in keyof T]: ArgumentOf<T[I]> };

/** A parameter of a builtin: `accepts` lists its types, empty for all of them. */
interface BuiltinParameter extends Parameter {
  readonly lazy: boolean;
  readonly accepts: readonly TypeName[];
}

/** Arguments in the order of the parameters; `undefined` for an optional one that was not given. */
export type BuiltinArguments = readonly (Slot | undefined)[];

/** Literal arguments in the order of the parameters, `undefined` for all others. */
export type Constants = readonly (Value | undefined)[];

type Run<A> = (args: A, evaluation: Evaluation) => Value;

/** A function of `std`. */
export interface Builtin {
  /** Without `std.`. */
  readonly name: string;
  readonly parameters: readonly BuiltinParameter[];
  /** Checks the types of strict arguments (they must be computed already), then runs. */
  readonly invoke: Run<BuiltinArguments>;
  /** See `builtin`. `complete` tells that all arguments that were given are literals. */
  readonly specialize: ((constants: Constants, complete: boolean) => Run<BuiltinArguments> | undefined) | undefined;
  /** Only of a function of the host: why a call with these literals can be right for no event. */
  readonly refusal?: (constants: Constants) => string | undefined;
}

/**
 * Declares a function of `std`:
 *
 *     builtin('substr', ['str: string', 'from: number', 'len: number'], ([text, from, length], evaluation) => …)
 *
 * A parameter is `name: type`, `name: type|type` or, when callers may leave it out, `name?: type`; the types are those
 * of `Accepted`. Arguments arrive computed and checked, but for `lazy` ones. A refusal names function and parameter.
 *
 * `specialize` is asked once for each call in a template whose callee is `std.name`, with the literal arguments
 * (`undefined` for all others); what it returns runs in place of `run` (types are checked before it too).
 */
export function builtin<const P extends readonly string[]>(
  name: string,
  declared: P,
  body:
    | Run<ArgumentsOf<P>>
    | { run: Run<ArgumentsOf<P>>; specialize: (constants: Constants) => Run<ArgumentsOf<P>> | undefined },
): Builtin {
  const parameters = declared.map(parseParameter);
  const { run, specialize } = typeof body === 'function' ? { run: body, specialize: undefined } : body;
  const checked = (run: Run<ArgumentsOf<P>>): Run<BuiltinArguments> => {
    const check = checker(name, parameters);
    // The cast is what `check` has just established.
    return (args, evaluation) => run(check(args, evaluation) as ArgumentsOf<P>, evaluation);
  };
  return {
    name,
    parameters,
    invoke: checked(run),
    specialize:
      specialize &&
      ((constants) => {
        const special = specialize(constants);
        return special && checked(special);
      }),
  };
}

function parseParameter(text: string): BuiltinParameter {
  const colon = text.indexOf(': ');
  const optional = text[colon - 1] === '?';
  const accepts = text.slice(colon + 2).split('|');
  const names = accepts.filter((type): type is TypeName => type !== 'any' && type !== 'lazy');
  return { name: text.slice(0, optional ? colon - 1 : colon), optional, lazy: accepts[0] === 'lazy', accepts: names };
}

type Check = (args: BuiltinArguments, evaluation: Evaluation) => BuiltinArguments;

function checker(name: string, parameters: readonly BuiltinParameter[]): Check {
  const masks = parameters.map(maskOf);
  if (masks.every((mask) => mask === everything)) return (args) => args;
  return (args, evaluation) => {
    for (let index = 0; index < masks.length; index++) {
      const value = args[index];
      if (value === undefined || (bitOf(value) & (masks[index] ?? everything)) !== 0) continue;
      const parameter = parameters[index];
      if (parameter !== undefined) throw evaluation.error(refusal(name, parameter, value));
    }
    return args;
  };
}

const bits: Readonly<Record<TypeName, number>> = {
  string: 1,
  number: 2,
  boolean: 4,
  null: 8,
  array: 16,
  object: 32,
  function: 64,
};

const everything = 127;

function maskOf({ accepts, lazy }: BuiltinParameter): number {
  if (lazy || accepts.length === 0) return everything;
  return accepts.reduce((mask, type) => mask | bits[type], 0);
}

function bitOf(slot: Slot): number {
  if (typeof slot === 'string') return bits.string;
  if (typeof slot === 'number') return bits.number;
  // A lazy argument is not looked at: its mask has all bits.
  return slot instanceof Thunk ? everything : bits[typeName(slot)];
}

function refusal(name: string, parameter: BuiltinParameter, value: Slot): string {
  const expected = parameter.accepts.join(' or ');
  return `std.${name}: argument "${parameter.name}": Unexpected type ${typeName(value as Value)}, expected ${expected}`;
}
