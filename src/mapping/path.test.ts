import { describe, expect, test } from 'vitest';
import { parsePath } from './path.ts';

function steps(path: string): readonly (string | number)[] {
  const result = parsePath(path);
  if (result.kind === 'invalid') throw new Error(`${result.position}: ${result.rule}`);
  return result.steps.map(({ kind, text }) => (kind === 'index' ? Number(text) : text));
}

describe('a path', () => {
  test.each<[string, readonly (string | number)[]]>([
    ['', []],
    ['a', ['a']],
    ['key1[1].key3', ['key1', 1, 'key3']],
    ['a.b[0].c', ['a', 'b', 0, 'c']],
    ['[0].a', [0, 'a']],
    ['[1][02]', [1, 2]],
    ['a.0', ['a', '0']],
    ['a["b.c"].d', ['a', 'b.c', 'd']],
    ['["x.y"]', ['x.y']],
    ['["a\\"b\\u0041\\\\"]', ['a"bA\\']],
    ['[""].a', ['', 'a']],
    ['["]"]["["]', [']', '[']],
    ['über ü.$ref', ['über ü', '$ref']],
    ['a]', ['a]']],
  ])('%s has the steps %j', (path, expected) => {
    expect(steps(path)).toEqual(expected);
  });

  test.each<[string, number, string]>([
    ['a..b', 3, 'empty'],
    ['.a', 1, 'empty'],
    ['a.', 3, 'empty'],
    ['a[', 2, 'without "]"'],
    ['a[x]', 3, 'decimal index'],
    ['a[-1]', 3, 'decimal index'],
    ['a[]', 3, 'decimal index'],
    ['a[0]b', 5, 'expected "."'],
    ['a["b', 3, 'no closing quote'],
    ['a["b"', 6, 'expected "]"'],
    ['a["\\x"]', 3, 'not a valid JSON string'],
    ['a["b\\', 3, 'no closing quote'],
    ['a["\\ud800"]', 2, 'half of a surrogate pair'],
    ['a.\ud800.b', 2, 'half of a surrogate pair'],
  ])('D9: %s is refused at position %i', (path, position, rule) => {
    expect(parsePath(path)).toEqual({ kind: 'invalid', position, rule: expect.stringContaining(rule) as string });
  });
});
