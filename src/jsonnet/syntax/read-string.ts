import type { SourceText } from './source-text.ts';

/** A string literal's value and the offset after it. */
export interface ReadString {
  readonly value: string;
  readonly end: number;
}

const simple: Readonly<Record<string, string>> = {
  '"': '"',
  "'": "'",
  '\\': '\\',
  '/': '/',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
};

/** Reads `"…"` or `'…'` at `start`, with its escapes. */
export function readQuoted(source: SourceText, start: number): ReadString {
  const { text } = source;
  const quote = text[start];
  let value = '';
  let at = start + 1;
  for (;;) {
    const character = text[at];
    if (character === undefined) throw source.refuse('Unterminated String', start);
    if (character === quote) return { value, end: at + 1 };
    if (character !== '\\') {
      value += character;
      at++;
      continue;
    }
    const escape = text[at + 1] ?? '';
    if (escape === 'u') {
      const code = readUnicode(source, at);
      value += code.value;
      at = code.end;
      continue;
    }
    const plain = Object.hasOwn(simple, escape) ? simple[escape] : undefined;
    if (plain === undefined) {
      if (escape === '') throw source.refuse('Unterminated String', start);
      throw source.refuse(`Unknown escape sequence in string literal: \\${escape}`, at, at + 2);
    }
    value += plain;
    at += 2;
  }
}

/** Reads `@"…"` or `@'…'` at `start`: no escapes but the doubled quote. */
export function readVerbatim(source: SourceText, start: number): ReadString {
  const { text } = source;
  const quote = text[start + 1];
  if (quote !== '"' && quote !== "'") {
    throw source.refuse(`Couldn't lex verbatim string, junk after '@': ${quote ?? 'end of file'}`, start);
  }
  let value = '';
  let at = start + 2;
  for (;;) {
    const end = text.indexOf(quote, at);
    if (end < 0) throw source.refuse('Unterminated String', start);
    value += text.slice(at, end);
    if (text[end + 1] !== quote) return { value, end: end + 1 };
    value += quote;
    at = end + 2;
  }
}

/** Reads `\uXXXX` at `at`, or two of them that make a pair. */
function readUnicode(source: SourceText, at: number): ReadString {
  const unit = readUnit(source, at);
  if (unit < 0xd800 || unit > 0xdfff) return { value: String.fromCharCode(unit), end: at + 6 };
  const isPair = unit < 0xdc00 && source.text.startsWith('\\u', at + 6);
  const low = isPair ? readUnit(source, at + 6) : 0;
  if (low < 0xdc00 || low > 0xdfff) {
    const text = source.text.slice(at, at + 6);
    throw source.refuse(
      `Unicode escape sequence ${text} is one half of a surrogate pair without the other`,
      at,
      at + 6,
    );
  }
  return { value: String.fromCharCode(unit, low), end: at + 12 };
}

function readUnit(source: SourceText, at: number): number {
  const digits = source.text.slice(at + 2, at + 6);
  if (/^[0-9a-fA-F]{4}$/.test(digits)) return Number.parseInt(digits, 16);
  throw source.refuse(`Unicode escape sequence was malformed: \\u${digits}`, at, at + 2 + digits.length);
}
