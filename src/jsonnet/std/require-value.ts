import type { Evaluation } from '../evaluation.ts';
import { isArray, typeName, type ArrayValue, type TypeName, type Value } from '../values/value.ts';

/** What a function of `std` demands of the values it computes itself; `what` names the place: `std.filter: result of "func"`. */

export function requireBoolean(value: Value, what: string, evaluation: Evaluation): boolean {
  return typeof value === 'boolean' ? value : refuse(value, { what, expected: 'boolean' }, evaluation);
}

export function requireNumber(value: Value, what: string, evaluation: Evaluation): number {
  return typeof value === 'number' ? value : refuse(value, { what, expected: 'number' }, evaluation);
}

export function requireString(value: Value, what: string, evaluation: Evaluation): string {
  return typeof value === 'string' ? value : refuse(value, { what, expected: 'string' }, evaluation);
}

export function requireArray(value: Value, what: string, evaluation: Evaluation): ArrayValue {
  return isArray(value) ? value : refuse(value, { what, expected: 'array' }, evaluation);
}

/** A whole number. */
export function requireInteger(value: number, what: string, evaluation: Evaluation): number {
  if (Number.isInteger(value)) return value;
  throw evaluation.error(`${what}: Expected an integer, but got ${value}`);
}

function refuse(value: Value, { what, expected }: { what: string; expected: TypeName }, evaluation: Evaluation): never {
  throw evaluation.error(`${what}: Unexpected type ${typeName(value)}, expected ${expected}`);
}
