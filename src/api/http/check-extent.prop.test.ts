import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { checkExtent } from './check-extent.ts';

function bytesOf(text: string): Uint8Array {
  return Buffer.from(text);
}

function isRefused(text: string): boolean {
  try {
    checkExtent(bytesOf(text));
    return false;
  } catch {
    return true;
  }
}

function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Object.values(value).reduce<number>((sum, inner) => sum + valuesIn(inner), 1);
}

it('D8: a body may have 100,000 values, whatever its texts hold, and no more', () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 10 }), fc.constantFrom(0, 2), (value, indent) => {
      const fill = (more: number): string =>
        JSON.stringify([value, Array.from({ length: more }, () => '"[,]{\\')], null, indent);
      const left = 100_000 - valuesIn([value, []]);
      expect([isRefused(fill(left)), isRefused(fill(left + 1))]).toEqual([false, true]);
    }),
    { numRuns: 20 },
  );
});

it('D8: a body may have 32 levels, in arrays, objects or both, and no more', () => {
  const nested = (levels: number, value: string, [open, close]: readonly [string, string]): string =>
    open.repeat(levels) + value + close.repeat(levels);
  for (const pair of [['[', ']'] as const, ['{"a":', '}'] as const, ['[{"]":', '}]'] as const]) {
    const each = pair[0].startsWith('[{') ? 2 : 1;
    expect([pair, isRefused(nested(32 / each, '1', pair))]).toEqual([pair, false]);
    expect([pair, isRefused(nested(32 / each, '[]', pair))]).toEqual([pair, true]);
  }
});

it('D8: what is no JSON is measured, too, before anything reads it', () => {
  expect(isRefused('['.repeat(8_000_000))).toBe(true);
  expect(isRefused(`[${'0,'.repeat(4_000_000)}`)).toBe(true);
  expect(isRefused(`["${'\\"'.repeat(4_000_000)}`)).toBe(false);
});

it('D8: a body may have 1,000 keys with a backslash, however they are written, and no more', () => {
  const keys = (count: number, key: string): string =>
    `{"a\\n": {"b": "\\n:"}, "c": {${Array.from({ length: count }, (_, at) => `"${at}${key}" \n: "\\\\"`).join(',')}}}`;
  for (const key of ['\\u00e9', '\\\\', '\\"', 'x\\t:'])
    expect([isRefused(keys(999, key)), isRefused(keys(1000, key))]).toEqual([false, true]);
  expect(isRefused(keys(4_000, 'plain'))).toBe(false);
});

it('D8: a body may have 5,000 different keys, wherever they are, and few more', () => {
  const objects = (count: number, each: number, nameOf: (object: number, key: number) => string): string =>
    JSON.stringify(
      Array.from({ length: count }, (_, object) =>
        Object.fromEntries(Array.from({ length: each }, (_none, key) => [nameOf(object, key), ''])),
      ),
    );
  const different = (object: number, key: number): string => `${object}:${key}`;
  for (const each of [1, 10, 1000]) {
    expect(isRefused(objects(5000 / each, each, different))).toBe(false);
    expect(isRefused(objects(6000 / each, each, different))).toBe(true);
  }
  // Those of a hundred sinks with a hundred columns each are the same ones again and again.
  expect(isRefused(objects(10_000, 8, (_, key) => `key ${key}`))).toBe(false);
  expect(isRefused(JSON.stringify(Array.from({ length: 50_000 }, (_, at) => `text ${at}`)))).toBe(false);
});
