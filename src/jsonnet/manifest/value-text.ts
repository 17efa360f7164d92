import type { Evaluation } from '../evaluation.ts';
import type { Value } from '../values/value.ts';
import { jsonLine } from './json-line.ts';
import { spaced } from './json-style.ts';

/** The text of a value that is no string, as `std.toString` gives it: `[1, {"a": null}]`. */
export function valueText(value: Value, evaluation: Evaluation): string {
  const text = jsonLine(value, spaced, evaluation);
  evaluation.text(text.length);
  return text;
}
