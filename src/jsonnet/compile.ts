import { locate } from './compiler/locate.ts';
import { compileProgram } from './compiler/compile-program.ts';
import { Evaluation } from './evaluation.ts';
import { JsonnetError } from './jsonnet-error.ts';
import { defaultLimits, type Limits } from './limits.ts';
import { jsonLine } from './manifest/json-line.ts';
import { compact } from './manifest/json-style.ts';
import { nativeBuiltin, type EvaluationContext, type Native } from './native.ts';
import type { SharedSteps } from './shared-steps.ts';
import { BuiltinFunction } from './std/builtin-function.ts';
import { builtins } from './std/index.ts';
import { stdObject } from './std/std-object.ts';
import { parse } from './syntax/parser.ts';
import { makeFrame } from './values/frame.ts';
import { FunctionValue } from './values/function-value.ts';
import type { Value } from './values/value.ts';

export interface CompileOptions {
  readonly limits?: Partial<Limits>;
  /** Functions of the host by name: names of the template, unless it has a variable of that name. */
  readonly natives?: Readonly<Record<string, Native>>;
  /** What `std.extVar` gives: JSON values by name. */
  readonly extVars?: Readonly<Record<string, Value>>;
  /** What `std.thisFile` gives. */
  readonly fileName?: string;
}

/** A compiled template. Keeps nothing from one evaluation to the next. */
export interface Template {
  /**
   * The result as compact JSON text; it takes no more steps than its limit and than `sharedSteps` has left. Throws `JsonnetError`
   * of kind `runtime` or `limit`, and no other.
   */
  evaluate(context?: EvaluationContext, sharedSteps?: SharedSteps): string;
}

/** Compiles a template. Throws `JsonnetError` of kind `static` for a text that cannot be right. */
export function compile(source: string, options: CompileOptions = {}): Template {
  try {
    return compileText(source, options);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new JsonnetError('static', 'Expressions are nested too deep', { place: wholeText });
  }
}

const wholeText = { line: 1, column: 1, endLine: 1, endColumn: 1 };

const builtinsByName = new Map(builtins.map((builtin) => [builtin.name, builtin]));

function compileText(source: string, options: CompileOptions): Template {
  const natives = new Map(
    Object.entries(options.natives ?? {}).map(([name, native]) => [name, nativeBuiltin(name, native)]),
  );
  const functions = new Map([...natives].map(([name, builtin]) => [name, new BuiltinFunction(builtin)]));
  const values = new Map<string, () => Value>([['std', once(() => stdObject(options.fileName ?? 'template.jsonnet'))]]);
  for (const [name, value] of functions) values.set(name, () => value);
  const tree = parse(source);
  const { code, layout } = compileProgram(tree, { builtins: builtinsByName, natives, values });
  const limits = { ...defaultLimits, ...options.limits };
  const extVars = options.extVars ?? {};
  const byName = Object.fromEntries(functions);
  return {
    evaluate(context, sharedSteps) {
      const evaluation = new Evaluation({ limits, context, extVars, natives: byName, sharedSteps });
      try {
        const value = code(makeFrame([], layout.size), evaluation);
        const text = jsonLine(callWithDefaults(value, evaluation), compact, evaluation);
        evaluation.text(text.length);
        return text;
      } catch (error) {
        throw locate(error instanceof RangeError ? engineLimit(error, evaluation) : error, tree.place);
      } finally {
        evaluation.end();
      }
    },
  };
}

/** A template that is a function is called; its parameters need defaults, for nobody gives arguments. */
function callWithDefaults(value: Value, evaluation: Evaluation): Value {
  return value instanceof FunctionValue ? evaluation.call(value, []) : value;
}

/** The engine's own limits: its stack, which deep data can exhaust before frames are counted, and its longest string. */
function engineLimit(error: RangeError, evaluation: Evaluation): JsonnetError {
  if (error.message.includes('call stack')) return evaluation.stackExceeded();
  return new JsonnetError('limit', `limit textLength exceeded: ${error.message}`, { limit: 'textLength' });
}

function once<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => (made ??= make());
}
