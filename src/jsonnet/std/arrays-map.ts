import type { Evaluation } from '../evaluation.ts';
import type { FunctionValue } from '../values/function-value.ts';
import { lateCall, Thunk } from '../values/thunk.ts';
import type { ArrayValue, Slot } from '../values/value.ts';
import { ArrayBuilder } from './array-builder.ts';
import { builtin, type Builtin } from './builtin.ts';
import { elementsOf } from './elements-of.ts';
import { requireArray, requireBoolean, requireString } from './require-value.ts';
import { TextBuilder } from './text-builder.ts';

/** Arrays made from arrays, element by element. */
export const mapping: readonly Builtin[] = [
  builtin('map', ['func: function', 'arr: array|string'], ([callee, items], evaluation) =>
    mapped(callee, elementsOf(items, evaluation), evaluation),
  ),

  builtin('mapWithIndex', ['func: function', 'arr: array|string'], ([callee, items], evaluation) => {
    const code = (args: readonly Slot[], evaluation: Evaluation) => evaluation.call(callee, args);
    const elements = elementsOf(items, evaluation);
    evaluation.late(elements.length);
    return elements.map((element, index) => new Thunk(code, [index, element]));
  }),

  builtin('filter', ['func: function', 'arr: array'], ([callee, array], evaluation) =>
    filtered(array, { callee, what: 'std.filter: result of "func"' }, evaluation),
  ),

  builtin(
    'filterMap',
    ['filter_func: function', 'map_func: function', 'arr: array'],
    ([callee, mapper, array], evaluation) => {
      const kept = filtered(array, { callee, what: 'std.filterMap: result of "filter_func"' }, evaluation);
      evaluation.array(kept.length);
      return mapped(mapper, kept, evaluation);
    },
  ),

  builtin('flatMap', ['func: function', 'arr: array|string'], ([callee, items], evaluation) =>
    typeof items === 'string' ? flatText(callee, items, evaluation) : flatArray(callee, items, evaluation),
  ),
];

/** The results are computed when they are used. */
function mapped(callee: FunctionValue, elements: ArrayValue, evaluation: Evaluation): ArrayValue {
  evaluation.late(elements.length);
  return elements.map((element) => lateCall(callee, element));
}

interface Predicate {
  readonly callee: FunctionValue;
  /** Names the result in a refusal. */
  readonly what: string;
}

/** The elements that pass, as they are: late ones stay late unless the predicate computes them. */
function filtered(array: ArrayValue, { callee, what }: Predicate, evaluation: Evaluation): ArrayValue {
  evaluation.steps(array.length);
  return array.filter((element) => requireBoolean(evaluation.call1(callee, element), what, evaluation));
}

function flatArray(callee: FunctionValue, array: ArrayValue, evaluation: Evaluation): ArrayValue {
  const result = new ArrayBuilder(evaluation);
  evaluation.steps(array.length);
  for (const element of array) {
    const part = evaluation.call1(callee, element);
    result.append(requireArray(part, 'std.flatMap: result of "func"', evaluation));
  }
  return result.elements;
}

function flatText(callee: FunctionValue, text: string, evaluation: Evaluation): string {
  const result = new TextBuilder(evaluation);
  for (const character of elementsOf(text, evaluation)) {
    const part = evaluation.call1(callee, character);
    result.append(requireString(part, 'std.flatMap: result of "func"', evaluation));
  }
  return result.finish();
}
