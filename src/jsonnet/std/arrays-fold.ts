import type { Evaluation } from '../evaluation.ts';
import { finite } from '../operators/add.ts';
import type { ArrayValue, Value } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';
import { elementsOf } from './elements-of.ts';
import { requireBoolean, requireNumber } from './require-value.ts';

/** Arrays made to one value. */
export const folding: readonly Builtin[] = [
  builtin('foldl', ['func: function', 'arr: array|string', 'init: any'], ([callee, items, init], evaluation) => {
    let running: Value = init;
    for (const element of elementsOf(items, evaluation)) running = evaluation.call2(callee, running, element);
    return running;
  }),

  builtin('foldr', ['func: function', 'arr: array|string', 'init: any'], ([callee, items, init], evaluation) => {
    const elements = elementsOf(items, evaluation);
    let running: Value = init;
    for (let index = elements.length - 1; index >= 0; index--) {
      running = evaluation.call2(callee, elements[index] ?? null, running);
    }
    return running;
  }),

  builtin('sum', ['arr: array'], ([array], evaluation) => sum(array, 'sum', evaluation)),

  builtin('avg', ['arr: array'], ([array], evaluation) => {
    if (array.length === 0) throw evaluation.error('std.avg: Cannot calculate average of an empty array.');
    return sum(array, 'avg', evaluation) / array.length;
  }),

  builtin('all', ['arr: array'], ([array], evaluation) => !has(array, { wanted: false, name: 'all' }, evaluation)),
  builtin('any', ['arr: array'], ([array], evaluation) => has(array, { wanted: true, name: 'any' }, evaluation)),
];

function sum(array: ArrayValue, name: string, evaluation: Evaluation): number {
  evaluation.steps(array.length);
  const what = `std.${name}: element of "arr"`;
  let total = 0;
  for (const slot of array) total += requireNumber(evaluation.force(slot), what, evaluation);
  return finite(total, evaluation);
}

/** Whether one of the elements, booleans all up to there, is the wanted one. */
function has(
  array: ArrayValue,
  { wanted, name }: { readonly wanted: boolean; readonly name: string },
  evaluation: Evaluation,
): boolean {
  const what = `std.${name}: element of "arr"`;
  return array.some((slot) => {
    evaluation.steps(1);
    return requireBoolean(evaluation.force(slot), what, evaluation) === wanted;
  });
}
