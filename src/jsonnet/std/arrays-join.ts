import type { Evaluation } from '../evaluation.ts';
import { isArray, typeName, type ArrayValue, type Slot, type Value } from '../values/value.ts';
import { ArrayBuilder } from './array-builder.ts';
import { builtin, type Builtin } from './builtin.ts';
import { requireArray, requireString } from './require-value.ts';
import { TextBuilder } from './text-builder.ts';

/** Arrays of strings and arrays of arrays made to one string or array. */
export const joining: readonly Builtin[] = [
  builtin('join', ['sep: string|array', 'arr: array'], ([separator, array], evaluation) =>
    typeof separator === 'string' ? joinTexts(separator, array, evaluation) : joinArrays(separator, array, evaluation),
  ),

  builtin('deepJoin', ['arr: string|array'], ([value], evaluation) => {
    const text = new TextBuilder(evaluation);
    appendDeep(text, value, evaluation);
    return text.finish();
  }),

  builtin('flattenArrays', ['arr: array'], ([array], evaluation) => {
    const result = new ArrayBuilder(evaluation);
    evaluation.steps(array.length);
    for (const slot of array) {
      result.append(requireArray(evaluation.force(slot), 'std.flattenArrays: element of "arr"', evaluation));
    }
    return result.elements;
  }),

  builtin('flattenDeepArray', ['value: any'], ([value], evaluation) => {
    const elements: Slot[] = [];
    flattenDeep(elements, value, evaluation);
    return elements;
  }),
];

function joinTexts(separator: string, array: ArrayValue, evaluation: Evaluation): string {
  const text = new TextBuilder(evaluation);
  evaluation.steps(array.length);
  let joined = false;
  for (const slot of array) {
    const part = evaluation.force(slot);
    if (part === null) continue;
    if (joined) text.append(separator);
    text.append(requireString(part, 'std.join: element of "arr"', evaluation));
    joined = true;
  }
  return text.finish();
}

function joinArrays(separator: ArrayValue, array: ArrayValue, evaluation: Evaluation): ArrayValue {
  const result = new ArrayBuilder(evaluation);
  evaluation.steps(array.length);
  let joined = false;
  for (const slot of array) {
    const part = evaluation.force(slot);
    if (part === null) continue;
    if (joined) result.append(separator);
    result.append(requireArray(part, 'std.join: element of "arr"', evaluation));
    joined = true;
  }
  return result.elements;
}

function appendDeep(text: TextBuilder, value: Value, evaluation: Evaluation): void {
  if (typeof value === 'string') {
    text.append(value);
    return;
  }
  if (!isArray(value)) {
    throw evaluation.error(`std.deepJoin: Expected string or array, got ${typeName(value)}`);
  }
  evaluation.enter();
  evaluation.steps(value.length);
  for (const slot of value) appendDeep(text, evaluation.force(slot), evaluation);
  evaluation.leave();
}

function flattenDeep(elements: Slot[], value: Value, evaluation: Evaluation): void {
  if (!isArray(value)) {
    elements.push(value);
    if (elements.length > evaluation.limits.arrayLength) evaluation.array(elements.length);
    return;
  }
  evaluation.enter();
  evaluation.steps(value.length);
  for (const slot of value) flattenDeep(elements, evaluation.force(slot), evaluation);
  evaluation.leave();
}
