import type { Insertion } from './filled-text.ts';
import { parseJsonText } from '../core/parse-json-text.ts';
import { characterLength, jsonTokens, type JsonToken } from '../core/json-tokens.ts';
import { invalidConfiguration, type VariableError } from './variable-error.ts';

/**
 * Holds the values of variables to what they may be in a valid JSON text: whole characters inside one string each, so that none begins,
 * ends or joins anything, and of a key the escaped value. Throws `VariableError` with the name of the variable that wants more. The
 * insertions are in order.
 */
export function checkInsertions(text: string, insertions: readonly Insertion[]): void {
  const inKeys: Insertion[] = [];
  let next = 0;
  for (const token of jsonTokens(text)) {
    const found = next;
    let at = token.from + 1;
    for (let one = insertions[next]; one !== undefined && one.from < token.to; one = insertions[next]) {
      at = characterEnd(text, at, one.from);
      const startsWhole = at === one.from;
      at = characterEnd(text, at, one.to);
      if (token.kind !== 'string' || !startsWhole || at !== one.to || at >= token.to) throw other(one);
      next++;
    }
    if (next > found && isKey(text, token)) inKeys.push(...insertions.slice(found, next));
  }
  const outside = insertions[next] ?? inKeys.find(({ raw }) => raw);
  if (outside !== undefined) throw other(outside);
  if (inKeys.length > 0) checkKeys(text, inKeys);
}

/** The end of the first character that ends at a place or behind it. */
function characterEnd(text: string, from: number, place: number): number {
  let at = from;
  while (at < place) at += Math.max(characterLength(text, at), 1);
  return at;
}

function isKey(text: string, { kind, to }: JsonToken): boolean {
  return kind === 'string' && text[to] === ':';
}

/** No object may have a key twice by the value of a variable: one of its fields would go. */
function checkKeys(text: string, inKeys: readonly Insertion[]): void {
  const open: Map<unknown, string | undefined>[] = [];
  let next = 0;
  for (const token of jsonTokens(text)) {
    if (token.kind === '{') open.push(new Map());
    if (token.kind === '}') open.pop();
    const keys = open.at(-1);
    if (keys === undefined || !isKey(text, token)) continue;
    let name: string | undefined;
    for (let one = inKeys[next]; one !== undefined && one.from < token.to; one = inKeys[++next]) name ??= one.name;
    const written = text.slice(token.from, token.to);
    const key: unknown = parseJsonText(written);
    const culprit = keys.has(key) ? (name ?? keys.get(key)) : undefined;
    if (culprit !== undefined)
      throw invalidConfiguration(`the value of the variable "${culprit}" makes the key ${written} a second time`);
    keys.set(key, name);
  }
}

function other({ name }: Insertion): VariableError {
  return invalidConfiguration(
    `the value of the variable "${name}" would change more than the text in which its placeholder stands: write {{${name}}}`,
  );
}
