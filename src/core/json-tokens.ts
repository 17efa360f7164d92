/** A piece of a text that may be JSON. */
export interface JsonToken {
  /** `control`: a control character in a string, or the end of the text; `wrong`: what no JSON has. */
  readonly kind: '{' | '}' | '[' | ']' | ',' | ':' | 'string' | 'scalar' | 'control' | 'wrong';
  readonly from: number;
  readonly to: number;
}

const quote = 0x22;
const backslash = 0x5c;
const blank = /[ \t\r\n]*/y;
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y;
const escape = /\\(?:["\\/bfnrt]|u[\da-fA-F]{4})/y;

/** The tokens of a text in order; nothing comes behind `control` and `wrong`. */
export function* jsonTokens(text: string): Generator<JsonToken, void> {
  let at = 0;
  for (;;) {
    const from = endOf(blank, text, at) ?? at;
    if (from >= text.length) return;
    const token = tokenAt(text, from);
    yield token;
    if (token.kind === 'control' || token.kind === 'wrong') return;
    at = token.to;
  }
}

/** How many characters the one takes that stands at a place inside a string; 0 when it is none. */
export function characterLength(text: string, at: number): number {
  if (text.charCodeAt(at) !== backslash) return 1;
  return (endOf(escape, text, at) ?? at) - at;
}

function tokenAt(text: string, from: number): JsonToken {
  const mark = text.charAt(from);
  switch (mark) {
    case '{':
    case '}':
    case '[':
    case ']':
    case ',':
    case ':':
      return { kind: mark, from, to: from + 1 };
    case '"':
      return stringAt(text, from);
    default: {
      const to = endOf(scalar, text, from);
      if (to !== undefined) return { kind: 'scalar', from, to };
      return { kind: mark < ' ' ? 'control' : 'wrong', from, to: from };
    }
  }
}

function stringAt(text: string, from: number): JsonToken {
  for (let at = from + 1; ;) {
    const code = text.charCodeAt(at);
    if (code === quote) return { kind: 'string', from, to: at + 1 };
    if (at >= text.length || code < 0x20) return { kind: 'control', from, to: at };
    const length = characterLength(text, at);
    if (length === 0) return { kind: 'wrong', from, to: at };
    at += length;
  }
}

function endOf(pattern: RegExp, text: string, at: number): number | undefined {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : undefined;
}
