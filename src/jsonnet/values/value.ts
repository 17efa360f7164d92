import { FunctionValue } from './function-value.ts';
import { JsonnetObject } from './jsonnet-object.ts';
import type { Thunk } from './thunk.ts';

/** What an expression evaluates to. Numbers are finite. */
export type Value = null | boolean | number | string | ArrayValue | ObjectValue | FunctionValue;

/** A place that holds a value or how to compute it: `evaluation.force(slot)` gives the value. */
export type Slot = Value | Thunk;

/** An array; what `JSON.parse` made is one as it is. Never changed after it was made. */
export type ArrayValue = readonly Slot[];

export type ObjectValue = JsonnetObject | PlainObject;

/**
 * An object that `JSON.parse` made (or one like it): all fields are visible. Read it with `Object.hasOwn` and
 * `Object.keys` only, or with `values/object-fields.ts`: a field may be named like a member of the prototype.
 */
export interface PlainObject {
  readonly [name: string]: Value;
}

export type TypeName = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'function';

/** The name that `std.type` gives. */
export function typeName(value: Value): TypeName {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    default:
      if (value === null) return 'null';
      if (Array.isArray(value)) return 'array';
      return value instanceof FunctionValue ? 'function' : 'object';
  }
}

export function isArray(value: Slot | undefined): value is ArrayValue {
  return Array.isArray(value);
}

export function isFunction(value: Value): value is FunctionValue {
  return value instanceof FunctionValue;
}

export function isObject(value: Value): value is ObjectValue {
  return typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof FunctionValue);
}

/** Whether it is an object that `JSON.parse` made. */
export function isPlain(value: Value): value is PlainObject {
  return isObject(value) && !(value instanceof JsonnetObject);
}

export function isLayered(value: Value): value is JsonnetObject {
  return value instanceof JsonnetObject;
}
