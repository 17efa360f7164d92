import type { SourceText } from './source-text.ts';

const number = /(?:0|[1-9][0-9]*(?:_[0-9]+)*)(?:\.[0-9]+(?:_[0-9]+)*)?(?:[eE][+-]?[0-9]+(?:_[0-9]+)*)?/y;

/** Offset after the number at `start`. Digits may be parted by single underscores; a leading zero stands alone. */
export function readNumber(source: SourceText, start: number): number {
  const { text } = source;
  number.lastIndex = start;
  const end = start + (number.exec(text)?.[0].length ?? 1);
  const after = text[end] ?? '';
  if (after === '_') throw source.refuse("Couldn't lex number, _ must stand between digits", end);
  if (text[start] === '0' && end === start + 1 && /^[0-9]$/.test(after)) {
    throw source.refuse("Couldn't lex number, a leading zero must stand alone", start, end + 1);
  }
  const digits = text.slice(start, end);
  const what = text[end + 1] ?? 'end of file';
  if (after === '.' && !/[.eE]/.test(digits)) {
    throw source.refuse(`Couldn't lex number, junk after decimal point: ${what}`, end + 1);
  }
  if (/^[eE]$/.test(after) && !/[eE]/.test(digits)) {
    throw source.refuse(`Couldn't lex number, junk after 'E': ${what}`, end + 1);
  }
  return end;
}
