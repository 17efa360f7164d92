import type { Evaluation } from '../evaluation.ts';
import { codePointAt, codePointLength } from '../values/code-points.ts';
import { JsonnetObject } from '../values/jsonnet-object.ts';
import { isArray, isFunction, typeName, type Value } from '../values/value.ts';
import { numberOf } from './arithmetic.ts';

/** `target[index]`: a field of an object, an element of an array, a code point of a string. */
export function indexValue(target: Value, index: Value, evaluation: Evaluation): Value {
  if (typeof target === 'string') return characterAt(target, numberOf(index, evaluation), evaluation);
  if (isArray(target)) {
    const at = Math.trunc(numberOf(index, evaluation));
    const slot = target[at];
    if (slot === undefined) throw evaluation.error(outOfBounds(at, target.length));
    return evaluation.force(slot);
  }
  if (target === null || typeof target !== 'object' || isFunction(target)) {
    throw evaluation.error(`Value non indexable: ${typeName(target)}`);
  }
  if (typeof index !== 'string') throw evaluation.error(`Unexpected type ${typeName(index)}, expected string`);
  const value = target instanceof JsonnetObject ? target.get(index, evaluation) : ownValue(target, index);
  if (value === undefined) throw evaluation.error(`Field does not exist: ${index}`);
  return value;
}

function ownValue(target: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(target, name) ? target[name] : undefined;
}

function characterAt(text: string, index: number, evaluation: Evaluation): Value {
  const at = Math.trunc(index);
  evaluation.scan(text.length);
  const character = codePointAt(text, at);
  if (character === undefined) throw evaluation.error(outOfBounds(at, codePointLength(text)));
  return character;
}

function outOfBounds(index: number, length: number): string {
  return `Index ${index} out of bounds, not within [0, ${length})`;
}
