import type { Evaluation } from '../evaluation.ts';
import { codePointLength, codePoints, codePointSlice } from '../values/code-points.ts';
import { builtin, type Builtin } from './builtin.ts';

/** Strings as code points. */
export const characters: readonly Builtin[] = [
  builtin('char', ['n: number'], ([codePoint], evaluation) => characterOf(codePoint, evaluation)),
  builtin('codepoint', ['str: string'], ([text], evaluation) => {
    evaluation.scan(text.length);
    const length = codePointLength(text);
    if (length !== 1) throw evaluation.error(`codepoint takes a string of length 1, got length ${length}`);
    return text.codePointAt(0) ?? 0;
  }),
  builtin('stringChars', ['str: string'], ([text], evaluation) => {
    evaluation.array(codePointLength(text));
    return codePoints(text);
  }),
  builtin('substr', ['str: string', 'from: number', 'len: number'], ([text, from, length], evaluation) => {
    if (!Number.isInteger(from)) {
      throw evaluation.error(`substr second parameter should be an integer, got ${from}`);
    }
    if (from < 0) throw evaluation.error(`substr second parameter should be greater than zero, got ${from}`);
    if (!Number.isInteger(length)) {
      throw evaluation.error(`substr third parameter should be an integer, got ${length}`);
    }
    if (length < 0) throw evaluation.error(`substr third parameter should be greater than zero, got ${length}`);
    evaluation.scan(text.length);
    return codePointSlice(text, from, from + length);
  }),
];

/** The code point as a string; U+FFFD for half of a pair, because no string holds one. */
export function characterOf(given: number, evaluation: Evaluation): string {
  if (given < 0) throw evaluation.error(`Codepoints must be >= 0, got ${given}`);
  if (given > 0x10ffff) throw evaluation.error(`Invalid unicode codepoint, got ${given}`);
  const codePoint = Math.trunc(given);
  return codePoint >= 0xd800 && codePoint <= 0xdfff ? '\ufffd' : String.fromCodePoint(codePoint);
}
