import type { Dice } from '../random.ts';

/** What may stand where something else must: text of JSON. */
const oddValues = [
  'null',
  'true',
  '0',
  '-0',
  '1e400',
  '-1e-400',
  '1.5',
  '"1"',
  '"-9223372036854775808"',
  '18446744073709551616',
  '"99999999999999999999999"',
  '"NaN"',
  '"-Infinity"',
  'NaN',
  '""',
  '"\\ud800"',
  '"\\u0000"',
  '"SPAN_KIND_SERVER"',
  '"0af7651916cd43dd8448eb211c80319"',
  '"zzzzzzzzzzzzzzzz"',
  '"=="',
  '[]',
  '{}',
  '[[]]',
  '{"values":null}',
  '{"intValue":"1","doubleValue":2}',
  '{"kvlistValue":{"values":[{"key":"__proto__","value":{"stringValue":"x"}}]}}',
] as const;

const oddKeys = ['', '__proto__', 'constructor', 'stringValue', 'string_value', 'unknown', 'resourceLogs', '\\u0061'];

const odd = Symbol('a value of JSON as text');
interface Odd {
  readonly [odd]: string;
}

/** A valid request in JSON with some of its values and keys changed, as values and as text. */
export function mutateJson(dice: Dice, json: string): Buffer {
  let text = json;
  for (let more = dice.number(1, 3); more > 0; more -= 1) {
    const changed = dice.chance(70) ? mutateTree(dice, text) : mutateText(dice, text);
    text = changed;
  }
  const bytes = Buffer.from(text, dice.chance(3) ? 'latin1' : 'utf8');
  return dice.chance(4) ? bytes.subarray(0, dice.number(0, bytes.length)) : bytes;
}

function mutateTree(dice: Dice, text: string): string {
  try {
    return written(changed(dice, JSON.parse(text), 0));
  } catch {
    // What was changed before is no JSON any more, or too deep for this one here.
    return mutateText(dice, text);
  }
}

function changed(dice: Dice, value: unknown, depth: number): unknown {
  const isList = Array.isArray(value);
  const isInner = typeof value === 'object' && value !== null && depth < 30 && dice.chance(88);
  if (!isInner) return { [odd]: oddValue(dice) } satisfies Odd;
  if (isList) return changedList(dice, value as readonly unknown[], depth);
  const entries = Object.entries(value);
  if (entries.length === 0) return { [odd]: oddValue(dice) } satisfies Odd;
  const at = dice.number(0, entries.length - 1);
  const [key, inner] = entries[at] as [string, unknown];
  if (dice.chance(85)) entries[at] = [key, changed(dice, inner, depth + 1)];
  else if (dice.chance(30)) entries.splice(at, 1);
  else if (dice.chance(50)) entries[at] = [oddKeys[dice.number(0, oddKeys.length - 1)] ?? '', inner];
  else entries.push([key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`), inner]);
  return new Map(entries);
}

function changedList(dice: Dice, list: readonly unknown[], depth: number): unknown {
  if (list.length === 0) return [{ [odd]: oddValue(dice) } satisfies Odd];
  const at = dice.number(0, list.length - 1);
  if (dice.chance(85)) return list.with(at, changed(dice, list[at], depth + 1));
  if (dice.chance(30)) return list.toSpliced(at, 1);
  const one = written(list[at]);
  const most = dice.chance(2) ? Math.floor(800_000 / (one.length + 1)) : 30;
  return { [odd]: `[${Array.from({ length: dice.number(2, Math.max(2, most)) }, () => one).join(',')}]` } satisfies Odd;
}

function oddValue(dice: Dice): string {
  if (!dice.chance(4)) return dice.pick(oddValues);
  const depth = dice.number(80, dice.chance(10) ? 100_000 : 400);
  const [open, close] = dice.pick<readonly [string, string]>([
    ['[', ']'],
    ['{"arrayValue":{"values":[', ']}}'],
    ['{"kvlistValue":{"values":[{"key":"a","value":', '}]}}'],
  ]);
  return open.repeat(depth) + '1' + (dice.chance(80) ? close.repeat(depth) : '');
}

/** Characters that are there too much, too little, or are others. */
function mutateText(dice: Dice, text: string): string {
  const at = dice.number(0, text.length);
  const parts = ['"', '{', '}', '[', ']', ',', ':', '\\', '\\u', '\0', '\n', ' ', '\uFEFF', '/**/', '1', '-', 'e'];
  const part = parts[dice.number(0, parts.length - 1)] ?? '';
  const end = at + dice.number(0, 3);
  return text.slice(0, at) + (dice.chance(70) ? part : '') + text.slice(end);
}

function written(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(written).join(',')}]`;
  if (value instanceof Map)
    return `{${[...(value as ReadonlyMap<string, unknown>)].map(([key, inner]) => `${JSON.stringify(key)}:${written(inner)}`).join(',')}}`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  if (odd in value) return (value as Odd)[odd];
  return written(new Map(Object.entries(value)));
}
