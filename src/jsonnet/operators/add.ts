import type { Evaluation } from '../evaluation.ts';
import type { JsonnetError } from '../jsonnet-error.ts';
import { JsonnetObject } from '../values/jsonnet-object.ts';
import { layersOf } from '../values/slot-layer.ts';
import { isArray, isObject, typeName, type ObjectValue, type TypeName, type Value } from '../values/value.ts';

/** The operator `+`: numbers, texts (one string makes text of the other side), arrays and objects. */
export function add(left: Value, right: Value, evaluation: Evaluation): Value {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right, evaluation);
  if (typeof left === 'string' || typeof right === 'string') {
    return addTexts(evaluation.toText(left), evaluation.toText(right), evaluation);
  }
  if (isArray(left)) {
    if (!isArray(right)) throw unexpected(right, 'array', evaluation);
    evaluation.array(left.length + right.length);
    return left.concat(right);
  }
  if (isObject(left)) {
    if (!isObject(right)) throw unexpected(right, 'object', evaluation);
    return addObjects(left, right, evaluation);
  }
  if (typeof left === 'number') throw unexpected(right, 'number', evaluation);
  throw evaluation.error(`Unexpected type ${typeName(left)}`);
}

function unexpected(value: Value, expected: TypeName, evaluation: Evaluation): JsonnetError {
  return evaluation.error(`Unexpected type ${typeName(value)}, expected ${expected}`);
}

function addTexts(left: string, right: string, evaluation: Evaluation): string {
  evaluation.text(left.length + right.length);
  return left + right;
}

/** A number that calculating made: what is too large for a number is an error. */
export function finite(value: number, evaluation: Evaluation): number {
  if (Number.isFinite(value)) return value;
  throw evaluation.error(Number.isNaN(value) ? 'Not a number' : 'Overflow');
}

function addObjects(left: ObjectValue, right: ObjectValue, evaluation: Evaluation): JsonnetObject {
  const lower = layersOf(left);
  const upper = layersOf(right);
  evaluation.array(lower.length + upper.length);
  return new JsonnetObject([...lower, ...upper]);
}
