import type { Evaluation } from '../evaluation.ts';
import { codePoints } from '../values/code-points.ts';
import { builtin, type Builtin } from './builtin.ts';

const ascii = /^\p{ASCII}*$/u;

/** Case of letters. */
export const stringCase: readonly Builtin[] = [
  builtin('asciiUpper', ['str: string'], ([text], evaluation) => {
    evaluation.text(text.length);
    return ascii.test(text) ? text.toUpperCase() : asciiReplaced(text, upper, evaluation);
  }),
  builtin('asciiLower', ['str: string'], ([text], evaluation) => {
    evaluation.text(text.length);
    return ascii.test(text) ? text.toLowerCase() : asciiReplaced(text, lower, evaluation);
  }),
  builtin('equalsIgnoreCase', ['str1: string', 'str2: string'], ([one, other], evaluation) => {
    // To find two long texts equal reads them, too.
    evaluation.scan(one.length);
    if (one === other) return true;
    if (ascii.test(one) && ascii.test(other)) {
      evaluation.scan(one.length + other.length);
      return one.length === other.length && one.toLowerCase() === other.toLowerCase();
    }
    evaluation.steps(one.length + other.length);
    const others = codePoints(other);
    const characters = codePoints(one);
    return (
      characters.length === others.length &&
      characters.every((character, index) => folded(character) === folded(others[index] ?? ''))
    );
  }),
];

interface CaseOfAscii {
  readonly letters: RegExp;
  readonly changed: (letters: string) => string;
}

const upper: CaseOfAscii = { letters: /[a-z]+/g, changed: (letters) => letters.toUpperCase() };
const lower: CaseOfAscii = { letters: /[A-Z]+/g, changed: (letters) => letters.toLowerCase() };

/** Other letters between those of ASCII make many short parts of a text. */
function asciiReplaced(text: string, { letters, changed }: CaseOfAscii, evaluation: Evaluation): string {
  evaluation.steps(text.length);
  return text.replace(letters, changed);
}

/** One code point without case, as Unicode's simple case folding: one code point again (`ß` is not `ss`). */
function folded(character: string): string {
  // By simple folding the Turkish dotless i is a letter of its own.
  if (character === 'ı') return character;
  const upper = onlyOne(character.toUpperCase()) ?? character;
  return onlyOne(upper.toLowerCase()) ?? upper;
}

function onlyOne(text: string): string | undefined {
  return text.length === ((text.codePointAt(0) ?? 0) > 0xffff ? 2 : 1) ? text : undefined;
}
