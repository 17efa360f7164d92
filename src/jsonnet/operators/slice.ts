import type { Evaluation } from '../evaluation.ts';
import { codePointLength, codePoints, codePointSlice } from '../values/code-points.ts';
import { isArray, typeName, type Value } from '../values/value.ts';
import { numberOf } from './arithmetic.ts';

/** The bounds of a slice; `null` stands for a missing one. Negative bounds count from the end. */
interface SliceBounds {
  readonly from: Value;
  readonly to: Value;
  readonly step: Value;
}

/** `target[from:to:step]` and `std.slice`, of an array or of the code points of a string. */
export function slice(target: Value, bounds: SliceBounds, evaluation: Evaluation): Value {
  if (typeof target !== 'string' && !isArray(target)) {
    throw evaluation.error(`std.slice accepts a string or an array, but got: ${typeName(target)}`);
  }
  if (typeof target === 'string') evaluation.scan(target.length);
  const length = typeof target === 'string' ? codePointLength(target) : target.length;
  const from = bounds.from === null ? 0 : numberOf(bounds.from, evaluation);
  const to = bounds.to === null ? length : numberOf(bounds.to, evaluation);
  const step = bounds.step === null ? 1 : numberOf(bounds.step, evaluation);
  const start = from < 0 ? Math.max(0, length + from) : from;
  const end = Math.min(length, to < 0 ? length + to : to);
  if (step < 0) throw evaluation.error(`got [${start}:${end}:${step}] but negative steps are not supported`);
  if (step === 0) throw evaluation.error(`got ${step} but step must be greater than 0`);
  if (step === 1 && Number.isInteger(start) && Number.isInteger(end)) {
    if (typeof target === 'string') return codePointSlice(target, start, Math.max(start, end));
    evaluation.array(Math.max(0, end - start));
    return target.slice(start, Math.max(start, end));
  }
  evaluation.array(Math.max(0, Math.ceil((end - start) / step)));
  const range = { start, end, step };
  return typeof target === 'string' ? pick(codePoints(target), range).join('') : pick(target, range);
}

function pick<T>(elements: readonly T[], { start, end, step }: { start: number; end: number; step: number }): T[] {
  const taken: T[] = [];
  for (let at = start; at < end; at += step) {
    const element = elements[Math.trunc(at)];
    if (element !== undefined) taken.push(element);
  }
  return taken;
}
