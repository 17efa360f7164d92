import type { ReadString } from './read-string.ts';
import type { SourceText } from './source-text.ts';

/**
 * Reads a text block at `start`: `|||`, lines that begin with the white space of the first one, and `|||` on a line with
 * less. Blank lines may stand between without the white space. `|||-` takes the last line break off.
 */
export function readTextBlock(source: SourceText, start: number): ReadString {
  const { text } = source;
  const chomp = text[start + 3] === '-';
  let at = skipSpace(text, start + (chomp ? 4 : 3));
  if (text[at] !== '\n') throw source.refuse('Text block requires new line after |||', start, start + 3);
  at++;
  const first = skipLineBreaks(text, at);
  let value = text.slice(at, first);
  const indent = leadingSpace(text, first);
  if (indent === '') throw source.refuse("Text block's first line must start with whitespace", start, start + 3);
  at = first;
  while (text.startsWith(indent, at)) {
    const lineBreak = text.indexOf('\n', at);
    if (lineBreak < 0) throw source.refuse('Text block not terminated with |||', start, start + 3);
    const nextLine = skipLineBreaks(text, lineBreak + 1);
    value += text.slice(at + indent.length, nextLine);
    at = nextLine;
  }
  at += leadingSpace(text, at).length;
  if (!text.startsWith('|||', at)) throw source.refuse('Text block not terminated with |||', start, start + 3);
  return { value: chomp ? value.slice(0, -1) : value, end: at + 3 };
}

function skipSpace(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t' || text[at] === '\r') at++;
  return at;
}

function skipLineBreaks(text: string, from: number): number {
  let at = from;
  while (text[at] === '\n') at++;
  return at;
}

function leadingSpace(text: string, from: number): string {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return text.slice(from, at);
}
