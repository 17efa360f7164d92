import { jsonTokens, type JsonToken } from '../core/json-tokens.ts';

type Expected = 'value' | 'value or end' | 'key' | 'key or end' | 'colon' | 'comma or end';

/** What PHP's json_decode says of a text that is no JSON: it looks at the first token that is wrong. */
export function whyInvalid(text: string): string {
  const open: ('{' | '[')[] = [];
  let expected: Expected = 'value';
  for (const { kind } of jsonTokens(text)) {
    if (kind === 'control') return 'Control character error, possibly incorrectly encoded';
    if ((kind === '}' || kind === ']') && expected.endsWith('end')) {
      const opened = open.pop();
      if (opened === undefined) break;
      if ((opened === '{') !== (kind === '}')) return 'State mismatch (invalid or malformed JSON)';
      expected = 'comma or end';
      continue;
    }
    if (kind === '{' || kind === '[') open.push(kind);
    const next = behind(kind, expected, open);
    if (next === undefined) break;
    expected = next;
  }
  return 'Syntax error';
}

/** What a token that ends nothing leads to; undefined where it may not stand. */
function behind(kind: JsonToken['kind'], expected: Expected, open: readonly string[]): Expected | undefined {
  const inObject = open.at(-1) === '{';
  switch (kind) {
    case ',':
      return expected === 'comma or end' && open.length > 0 ? (inObject ? 'key' : 'value') : undefined;
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case 'string':
      if (expected.startsWith('key')) return 'colon';
      return expected.startsWith('value') ? 'comma or end' : undefined;
    default:
      if (!expected.startsWith('value')) return undefined;
      if (kind === 'scalar') return 'comma or end';
      return kind === '{' ? 'key or end' : kind === '[' ? 'value or end' : undefined;
  }
}
