import type { Evaluation } from '../evaluation.ts';
import { modulo } from '../operators/arithmetic.ts';
import { typeName, type Value } from '../values/value.ts';
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
  builtin('mod', ['a: any', 'b: any'], ([left, right], evaluation) => {
    if (typeof left === 'string') return format(left, right, evaluation);
    if (typeof left === 'number' && typeof right === 'number') return modulo(left, right, evaluation);
    const types = `${typeName(left)} and ${typeName(right)}`;
    throw evaluation.error(`Operator % cannot be used on types ${types}.`);
  }),
];

function format(text: string, values: Value, evaluation: Evaluation): string {
  // A code takes about forty times the memory of its text while it is being used.
  evaluation.steps(text.length * 4);
  return formatValues(parseFormat(text), values, evaluation);
}
