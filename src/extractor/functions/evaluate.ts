import { ExtractorError } from '../values/extractor-error.ts';
import { fieldOf, isList, isObject, shown, type JsonObject, type JsonValue } from '../values/json-value.ts';
import { callFunction, type FunctionValue } from './known-functions.ts';

/** What a value may refer to where it stands. */
export interface Evaluation {
  /** By the kind of reference: `{"attr": "a.b"}` is the value at `a.b` of `attr`. */
  readonly references: Readonly<Record<string, JsonValue>>;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** `urlencode` is for placeholders alone. */
  readonly isPlaceholder?: boolean;
}

/**
 * The fields with their functions called and their references replaced. A list among them stays as it is, as everywhere in configurations
 * of the public extractor; lists are evaluated where they are arguments.
 */
export function evaluateFields(fields: JsonObject, evaluation: Evaluation): JsonObject {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, isList(value) ? value : evaluate(value, evaluation)]),
  );
}

/** A value, with all that stands in it, evaluated. What cannot be is an `ExtractorError`. */
export function evaluate(value: JsonValue, evaluation: Evaluation): JsonValue {
  const known = new Map<string, ReadonlyMap<string, JsonValue>>();
  for (const [kind, values] of Object.entries(evaluation.references)) {
    const flat = new Map<string, JsonValue>();
    flatten(values, '', flat);
    known.set(kind, flat);
  }
  const found = evaluated(value, { known, now: evaluation.now, isPlaceholder: evaluation.isPlaceholder ?? false });
  return Buffer.isBuffer(found) ? found.toString() : found;
}

interface Scope {
  readonly known: ReadonlyMap<string, ReadonlyMap<string, JsonValue>>;
  readonly now: number;
  readonly isPlaceholder: boolean;
}

function flatten(value: JsonValue, path: string, into: Map<string, JsonValue>): void {
  if (value === null) return;
  if (isList(value) || isObject(value))
    for (const [key, field] of Object.entries(value)) flatten(field, path === '' ? key : `${path}.${key}`, into);
  else into.set(path, value);
}

function evaluated(value: JsonValue, scope: Scope): FunctionValue {
  if (isList(value)) return value.map((item) => asJson(evaluated(item, scope)));
  if (!isObject(value)) return value;
  const name = fieldOf(value, 'function');
  if (name !== undefined) {
    const args = fieldOf(value, 'args');
    const list = isList(args) ? args : isObject(args) ? Object.values(args) : [];
    return callFunction(
      shown(name),
      list.map((one) => evaluated(one, scope)),
      scope,
    );
  }
  const [field, ...others] = Object.entries(value);
  const values = field === undefined || others.length > 0 ? undefined : scope.known.get(field[0]);
  if (field !== undefined && values !== undefined) return reference(...field, values);
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, asJson(evaluated(inner, scope))]));
}

function reference(kind: string, path: JsonValue, values: ReadonlyMap<string, JsonValue>): JsonValue {
  if (isObject(path) || isList(path))
    throw new ExtractorError(
      `User script error: Error evaluating user function - ${kind} '${shown(path)}' is not a string!`,
    );
  const found = values.get(shown(path));
  if (found !== undefined) return found;
  throw new ExtractorError(`User script error: Error evaluating user function - ${kind} '${shown(path)}' not found!`);
}

function asJson(value: FunctionValue): JsonValue {
  return Buffer.isBuffer(value) ? value.toString() : value;
}
