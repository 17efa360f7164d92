import { jsonTokens, type JsonToken } from './json-tokens.ts';
import { parseJsonText } from './parse-json-text.ts';

/**
 * The JSON texts of the fields of an object, without blanks between their tokens and else as they were written: digits and the order of
 * keys count. The last of several fields of one name is it, as for `JSON.parse`. `text` is known to be valid JSON; no fields of what is no
 * object.
 */
export function jsonMembers(text: string): ReadonlyMap<string, string> {
  const members = new Map<string, string>();
  let depth = 0;
  let key: string | undefined;
  let value: string[] = [];
  const end = (): void => {
    if (key !== undefined) members.set(key, value.join(''));
    [key, value] = [undefined, []];
  };
  for (const token of jsonTokens(text)) {
    const { kind } = token;
    if (depth === 0 && kind !== '{') return members;
    if (kind === '}' || kind === ']') depth -= 1;
    if (depth === 0 && kind === '}') end();
    else if (depth === 1 && kind === ',') end();
    else if (depth === 1 && key === undefined) key = nameOf(text, token);
    else if (depth > 0 && !(depth === 1 && kind === ':' && value.length === 0)) value.push(textOf(text, token));
    if (kind === '{' || kind === '[') depth += 1;
  }
  return members;
}

/** A valid JSON text without the blanks between its tokens. */
export function compactJson(text: string): string {
  const pieces: string[] = [];
  for (const token of jsonTokens(text)) pieces.push(textOf(text, token));
  return pieces.join('');
}

function textOf(text: string, { from, to }: JsonToken): string {
  return text.slice(from, to);
}

function nameOf(text: string, token: JsonToken): string {
  return String(parseJsonText(textOf(text, token)));
}
