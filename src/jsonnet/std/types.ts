import { typeName } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';

/** Types of values. */
export const typesOfValues: readonly Builtin[] = [
  builtin('type', ['x: any'], ([value]) => typeName(value)),
  builtin('isString', ['v: any'], ([value]) => typeof value === 'string'),
  builtin('isNumber', ['v: any'], ([value]) => typeof value === 'number'),
  builtin('isBoolean', ['v: any'], ([value]) => typeof value === 'boolean'),
  builtin('isNull', ['v: any'], ([value]) => value === null),
  builtin('isArray', ['v: any'], ([value]) => typeName(value) === 'array'),
  builtin('isObject', ['v: any'], ([value]) => typeName(value) === 'object'),
  builtin('isFunction', ['v: any'], ([value]) => typeName(value) === 'function'),
];
