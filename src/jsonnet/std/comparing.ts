import type { Evaluation } from '../evaluation.ts';
import { compare } from '../operators/compare.ts';
import { typeName, type Value } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';

/** The order of two values as a number, and the operators `<` `>` `<=` `>=` of arrays as functions. */
export const comparing: readonly Builtin[] = [
  builtin('__compare', ['v1: any', 'v2: any'], ([one, other], evaluation) => orderOf(one, other, evaluation)),
  arrayOrder('__compare_array', (order) => order),
  arrayOrder('__array_less', (order) => order < 0),
  arrayOrder('__array_greater', (order) => order > 0),
  arrayOrder('__array_less_or_equal', (order) => order <= 0),
  arrayOrder('__array_greater_or_equal', (order) => order >= 0),
];

function arrayOrder(name: string, answer: (order: number) => Value): Builtin {
  return builtin(name, ['arr1: array', 'arr2: array'], ([one, other], evaluation) =>
    answer(orderOf(one, other, evaluation)),
  );
}

/** -1, 0 or 1. */
function orderOf(one: Value, other: Value, evaluation: Evaluation): number {
  const type = typeName(one);
  const otherType = typeName(other);
  if (type !== otherType) {
    throw evaluation.error(`Comparison requires matching types. Got ${type} and ${otherType}`);
  }
  if (type !== 'number' && type !== 'string' && type !== 'array') {
    throw evaluation.error(`Values of type ${type} are not comparable.`);
  }
  return Math.sign(compare(one, other, evaluation));
}
