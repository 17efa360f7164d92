import type { Evaluation } from '../evaluation.ts';
import { finite } from '../operators/add.ts';
import { builtin, type Builtin } from './builtin.ts';
import { parseJson } from './parse-json.ts';
import { parseYaml } from './parse-yaml.ts';

/** Numbers, JSON and YAML read from text. */
export const parsing: readonly Builtin[] = [
  builtin('parseInt', ['str: string'], ([text], evaluation) => {
    evaluation.scan(text.length);
    if (!/^[-+]?\d+$/.test(text)) throw evaluation.error(`${excerpt(text)} is not a base 10 integer`);
    const value = Number(text);
    if (value < -(2 ** 63) || value >= 2 ** 63) {
      throw evaluation.error(`${excerpt(text)} is not a base 10 integer of at most 64 bits`);
    }
    // Without this, "-0" would be a zero with a sign.
    return value + 0;
  }),
  builtin('parseOctal', ['str: string'], ([text], evaluation) => {
    if (text === '') throw evaluation.error('Not an octal number: ""');
    return parseDigits(text, 8, evaluation);
  }),
  builtin('parseHex', ['str: string'], ([text], evaluation) => {
    if (text === '') throw evaluation.error('Not hexadecimal: ""');
    return parseDigits(text, 16, evaluation);
  }),
  builtin('parseJson', ['str: string'], ([text], evaluation) => parseJson(text, evaluation)),
  builtin('parseYaml', ['str: string'], ([text], evaluation) => parseYaml(text, evaluation)),
];

function parseDigits(text: string, base: 8 | 16, evaluation: Evaluation): number {
  evaluation.steps(text.length);
  let value = 0;
  for (const character of text) {
    const digit = '0123456789abcdef'.indexOf(character.toLowerCase());
    if (digit < 0 || digit >= base) throw evaluation.error(`${excerpt(text)} is not a base ${base} integer`);
    value = finite(value * base + digit, evaluation);
  }
  return value;
}

/** A text for a message, which a long one must not make long. */
function excerpt(text: string): string {
  return text.length <= 40 ? text : `${text.slice(0, 40)}…`;
}
