import { quote } from '../manifest/quote.ts';
import { equals } from '../operators/equals.ts';
import type { Evaluation } from '../evaluation.ts';
import { typeName, type Value } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';

/** Types of values, and whether two values are the same. */
export const typesOfValues: readonly Builtin[] = [
  builtin('type', ['x: any'], ([value]) => typeName(value)),
  builtin('isString', ['v: any'], ([value]) => typeof value === 'string'),
  builtin('isNumber', ['v: any'], ([value]) => typeof value === 'number'),
  builtin('isBoolean', ['v: any'], ([value]) => typeof value === 'boolean'),
  builtin('isNull', ['v: any'], ([value]) => value === null),
  builtin('isArray', ['v: any'], ([value]) => typeName(value) === 'array'),
  builtin('isObject', ['v: any'], ([value]) => typeName(value) === 'object'),
  builtin('isFunction', ['v: any'], ([value]) => typeName(value) === 'function'),
  builtin('equals', ['x: any', 'y: any'], ([left, right], evaluation) => equals(left, right, evaluation)),
  builtin('primitiveEquals', ['x: any', 'y: any'], ([left, right], evaluation) => {
    const type = typeName(left);
    if (type !== typeName(right)) return false;
    if (type === 'array' || type === 'object' || type === 'function') {
      throw evaluation.error(`primitiveEquals operates on primitive types, got ${type}`);
    }
    return left === right;
  }),
  builtin('assertEqual', ['a: any', 'b: any'], ([left, right], evaluation) => {
    if (equals(left, right, evaluation)) return true;
    throw evaluation.error(`Assertion failed. ${shown(left, evaluation)} != ${shown(right, evaluation)}`);
  }),
];

function shown(value: Value, evaluation: Evaluation): string {
  return typeof value === 'string' ? quote(value) : evaluation.toText(value);
}
