import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { parseJsonText } from './parse-json-text.ts';

/** A text, and another that `JSON.parse` of V8 13.6 misreads once it has read the first. */
const vectors: readonly (readonly [before: string, text: string, key: string])[] = [
  [String.raw`{"\\":1}`, String.raw`{"\u5e74":2}`, '年'],
  [String.raw`{"\\":1}`, String.raw`{"\n":2}`, '\n'],
  [String.raw`{"id":1,"\\":1}`, String.raw`{"id":1,"\u00e9":2}`, 'é'],
  [String.raw`{"a\\":1}`, String.raw`{"a\u5e74":2}`, 'a年'],
  [String.raw`{"\\u":1}`, String.raw`{"\u0061b":2}`, 'ab'],
  [String.raw`{"\\\\":1}`, String.raw`{"\\u":2}`, String.raw`\u`],
];

function lastKey(value: unknown): string | undefined {
  return Object.keys(value as object).at(-1);
}

test.each(vectors)('after %s the key of %s is %j', (before, text, key) => {
  JSON.parse(before);
  parseJsonText(before);
  expect(lastKey(parseJsonText(text))).toBe(key);
});

test('JSON.parse of the pinned Node misreads such keys: once it does not, parseJsonText can be JSON.parse', () => {
  // In a process of its own: what other tests have read before decides how the engine reads these.
  const script = `
    const misread = ${JSON.stringify(vectors)}.filter(([before, text, key]) => {
      JSON.parse(before);
      return Object.keys(JSON.parse(text)).at(-1) !== key;
    });
    console.log(misread.length);`;
  expect(Number(execFileSync(process.execPath, ['--eval', script], { encoding: 'utf8' }))).toBeGreaterThan(0);
});

/** Read by the engine before it has seen any text above. */
const texts = [
  String.raw`{"\u0061":1,"a":2}`,
  String.raw`{"a":1,"b":0,"\u0061":{"c":[1]}}`,
  String.raw`{"\u005f_proto__":{"x":1},"__proto__":2}`,
  String.raw`{"2\u0030":1,"3":2,"b":3}`,
  String.raw`[-0,1e400,-1.5E-7,123456789012345678901,{"\/":[]},{},[],null,true,false,"\ud800"]`,
  ` \n{ "\\u0061" :\t[ 1 , "b\\\\" , "\\\\\\"c:" ] , "d" : { } } \r`,
].map((text): readonly [string, unknown] => [text, JSON.parse(text)]);

test.each(texts)('what JSON.parse does with %s holds, too: the last of two keys, order, values', (text, expected) => {
  const read = parseJsonText(text);
  expect(read).toStrictEqual(expected);
  expect(JSON.stringify(read)).toBe(JSON.stringify(expected));
});

test('a text with an escaped key may be nested without end', () => {
  const deep = 100_000;
  let value = parseJsonText(`${'['.repeat(deep)}{"\\u0061":1}${']'.repeat(deep)}`);
  while (Array.isArray(value)) [value] = value as readonly unknown[];
  expect(value).toEqual({ a: 1 });
});

test.each([
  '',
  '{',
  String.raw`{"\u006":1}`,
  String.raw`{"\q":1}`,
  String.raw`{"\u0061" 1}`,
  String.raw`\{"a":1}`,
  '{"a":1}\\',
])('what is no JSON is refused in the words of the engine: %s', (text) => {
  JSON.parse(String.raw`{"\\":1}`);
  expect(() => parseJsonText(text)).toThrow(SyntaxError);
});
