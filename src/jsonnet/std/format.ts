import type { Evaluation } from '../evaluation.ts';
import { modulo } from '../operators/arithmetic.ts';
import type { Value } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';
import { parseFormat } from './format-syntax.ts';
import { formatValues } from './format-values.ts';

/** Formatted text: `std.format` and the operator `%`. */
export const formats: readonly Builtin[] = [
  builtin('format', ['str: string', 'vals: any'], {
    run: ([text, values], evaluation) => format(text, values, evaluation),
    specialize: ([text]) => {
      if (typeof text !== 'string') return undefined;
      const parsed = parseFormat(text);
      return ([, values], evaluation) => formatValues(parsed, values, evaluation);
    },
  }),
  builtin('mod', ['a: any', 'b: any'], ([left, right], evaluation) =>
    typeof left === 'string' ? format(left, right, evaluation) : modulo(left, right, evaluation),
  ),
];

function format(text: string, values: Value, evaluation: Evaluation): string {
  // A code takes about forty times the memory of its text while it is being used.
  evaluation.steps(text.length * 4);
  return formatValues(parseFormat(text), values, evaluation);
}
