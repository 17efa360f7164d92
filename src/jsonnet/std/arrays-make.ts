import type { Evaluation } from '../evaluation.ts';
import { lateCall } from '../values/thunk.ts';
import type { ArrayValue, Slot } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';
import { requireInteger } from './require-value.ts';

/** Arrays made from numbers and from repetition. */
export const making: readonly Builtin[] = [
  builtin('makeArray', ['sz: number', 'func: function'], ([size, callee], evaluation) => {
    const length = Math.max(0, requireInteger(size, 'std.makeArray: argument "sz"', evaluation));
    evaluation.array(length);
    evaluation.late(length);
    return Array.from({ length }, (_none, index) => lateCall(callee, index));
  }),

  builtin('range', ['from: number', 'to: number'], ([from, to], evaluation) => {
    const first = requireInteger(from, 'std.range: argument "from"', evaluation);
    const last = requireInteger(to, 'std.range: argument "to"', evaluation);
    const length = Math.max(0, last - first + 1);
    evaluation.array(length);
    return Array.from({ length }, (_none, index) => first + index);
  }),

  builtin('repeat', ['what: array|string', 'count: number'], ([what, count], evaluation) => {
    const times = Math.max(0, requireInteger(count, 'std.repeat: argument "count"', evaluation));
    if (what.length === 0) return what;
    if (typeof what !== 'string') return repeated(what, times, evaluation);
    evaluation.text(what.length * times);
    return what.repeat(times);
  }),
];

function repeated(array: ArrayValue, times: number, evaluation: Evaluation): ArrayValue {
  evaluation.array(array.length * times);
  const elements: Slot[] = [];
  for (let turn = 0; turn < times; turn++) {
    for (const slot of array) elements.push(slot);
  }
  return elements;
}
