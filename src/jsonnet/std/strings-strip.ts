import type { Evaluation } from '../evaluation.ts';
import { codePoints } from '../values/code-points.ts';
import type { ArrayValue } from '../values/value.ts';
import { builtin, type Builtin } from './builtin.ts';

type Stripped = (character: string) => boolean;

/** Strings without some characters at their ends. `chars` is a string, or an array of strings of one character. */
export const stripping: readonly Builtin[] = [
  strip('lstripChars', { left: true, right: false }),
  strip('rstripChars', { left: false, right: true }),
  strip('stripChars', { left: true, right: true }),
  builtin('trim', ['str: string'], ([text], evaluation) => {
    evaluation.scan(text.length);
    return charged(text, stripRight(stripLeft(text, isWhiteSpace), isWhiteSpace), evaluation);
  }),
];

function strip(name: string, { left, right }: { left: boolean; right: boolean }): Builtin {
  return builtin(name, ['str: string', 'chars: string|array'], ([text, chars], evaluation) => {
    if (text === '') return text;
    evaluation.scan(text.length);
    const stripped = memberOf(chars, evaluation);
    const rest = left ? stripLeft(text, stripped) : text;
    return charged(text, right ? stripRight(rest, stripped) : rest, evaluation);
  });
}

/** Each character that goes was looked up, which takes longer than to search for one. */
function charged(text: string, rest: string, evaluation: Evaluation): string {
  evaluation.steps((text.length - rest.length) >> 2);
  return rest;
}

function memberOf(chars: string | ArrayValue, evaluation: Evaluation): Stripped {
  if (typeof chars === 'string' && chars.length <= 16) return (character) => chars.includes(character);
  evaluation.steps(chars.length);
  const members = new Set<unknown>(
    typeof chars === 'string' ? codePoints(chars) : chars.map((slot) => evaluation.force(slot)),
  );
  return (character) => members.has(character);
}

/** White space as Unicode has it, which is not quite what JavaScript trims. */
function isWhiteSpace(character: string): boolean {
  return character === ' ' || /\p{White_Space}/u.test(character);
}

function stripLeft(text: string, stripped: Stripped): string {
  let start = 0;
  while (start < text.length) {
    const character = String.fromCodePoint(text.codePointAt(start) ?? 0);
    if (!stripped(character)) break;
    start += character.length;
  }
  return text.slice(start);
}

function stripRight(text: string, stripped: Stripped): string {
  let end = text.length;
  while (end > 0) {
    const pair = end > 1 ? (text.codePointAt(end - 2) ?? 0) : 0;
    const character = pair > 0xffff ? String.fromCodePoint(pair) : text.charAt(end - 1);
    if (!stripped(character)) break;
    end -= character.length;
  }
  return text.slice(0, end);
}
