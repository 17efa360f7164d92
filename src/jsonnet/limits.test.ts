import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import { JsonnetError } from './jsonnet-error.ts';

/** The limit that a template hits. */
function limitOf(source: string): string {
  try {
    return `none: ${compile(source).evaluate().slice(0, 40)}`;
  } catch (error) {
    if (error instanceof JsonnetError) return error.limit ?? error.text;
    throw error;
  }
}

const doubling = 'local double(s, n) = if n == 0 then s else double(s + s, n - 1) tailstrict;';

/** Texts that are equal and not the same, so long that two hundred readings of both are all steps there are. */
const twins = `${doubling} local s = double("x", 19); local t = double("x", 19);`;
/** Calls a function, and keeps nothing of what it gives. */
const oft =
  'local f(g) = std.foldl(function(n, i) if std.length(std.type(g(i))) == 0 then 1 else n, std.range(1, 150), 0);';

describe('a template cannot take more than its limits', () => {
  it.each([
    ['recursion without end', 'local f(x) = f(x + 1) + 1; f(0)', 'depth'],
    ['recursion without end and without stack', 'local f(x) = f(x + 1) tailstrict; f(0)', 'steps'],
    ['recursion through late values', 'local g(n) = [g(n + 1)]; g(0)', 'depth'],
    ['an object in itself', '{ a: self }', 'depth'],
    ['an assert that needs itself', '{ assert self.x, x: self.y, y: self.x }', 'depth'],
    ['a function that calls itself twice', 'local f(n) = if n < 2 then n else f(n - 1) + f(n - 2); f(60)', 'steps'],
    [
      'an object that reads itself twice',
      '{ n:: 40, f: if self.n == 0 then 1 else (self + { n:: super.n - 1 }).f + (self + { n:: super.n - 1 }).f }',
      'steps',
    ],
    ['a string doubled 30 times', `${doubling} double("x", 30)`, 'textLength'],
    [
      'long strings, again and again',
      `${doubling} local s = double("x", 19); local g(n) = if s + n == "" then 0 else g(n + 1) tailstrict; g(0)`,
      'steps',
    ],
    ['an array doubled 30 times', `${doubling} double([1], 30)`, 'arrayLength'],
    ['layers doubled 30 times', `${doubling} double({ a: 1 }, 30)`, 'arrayLength'],
    ['a result of many long strings', `${doubling} local s = double("x", 19); [s, s, s]`, 'textLength'],
    [
      'a comprehension of comprehensions',
      'local a = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]; [1 for b in a for c in a for d in a for e in a for f in a for g in a for h in a]',
      'steps',
    ],
    [
      'a comprehension that keeps nothing',
      'local a = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9]; [1 for b in a for c in a for d in a for e in a for f in a for g in a for h in a if h > 9]',
      'steps',
    ],
  ])('%s', (_name, source, limit) => {
    expect(limitOf(source)).toBe(limit);
  });

  const nesting = 'local nest(n, v) = if n == 0 then v else nest(n - 1, [v]) tailstrict; local a(n) = nest(n, 1);';
  const nestingObjects =
    'local nest(n, v) = if n == 0 then v else nest(n - 1, { a: v }) tailstrict; local a(n) = nest(n, 1);';

  it.each([
    ['the result', nesting, 'a(N)'],
    ['the result, of objects', nestingObjects, 'a(N)'],
    ['the result, of objects without code', '', 'std.parseJson(std.repeat(\'{"a":\', N) + "1" + std.repeat("}", N))'],
    ['a text of it', nesting, '"" + a(N)'],
    ['equality', nesting, 'a(N) == a(N)'],
    ['equality of objects', nestingObjects, 'a(N) == a(N)'],
    ['order', nesting, 'a(N) < a(N)'],
    ['order that is found at the bottom', nesting, 'a(N) < nest(N, 2)'],
    ['a patch', nestingObjects, 'std.mergePatch(a(N), nest(N, 2))'],
  ])('D8: nesting in data counts as depth, long before the stack of the engine ends: %s', (_name, local, source) => {
    const nested = (depth: number): string => limitOf(`${local} ${source.replaceAll('N', String(depth))}`);
    expect(nested(510)).toBe('depth');
    expect(nested(150)).toMatch(/^none/);
  });

  it.each([
    ['names of an object', '{ ["k" + i]: i for i in std.range(1, 120000) }'],
    ['digits of whole numbers', 'std.foldl(function(n, i) n + std.length("%d" % 1e300), std.range(1, 20000), 0)'],
    ['digits of fractions', 'std.foldl(function(n, i) n + std.length("%.300f" % 1.5), std.range(1, 20000), 0)'],
    [
      'characters at the ends',
      'local s = std.repeat("a", 1000000); std.foldl(function(n, i) n + std.length(std.stripChars(s, "a")), std.range(1, 10), 0)',
    ],
    [
      'white space at the ends',
      'local s = std.repeat(" ", 1000000); std.foldl(function(n, i) n + std.length(std.trim(s)), std.range(1, 10), 0)',
    ],
    ['equal texts, case aside', `${twins} f(function(n) std.equalsIgnoreCase(s, t))`],
    ['letters between others', `${doubling} local s = double("aé", 18); f(function(n) std.asciiUpper(s))`],
    ['a long text within a long one', `${twins} f(function(n) std.member(s, double("x", 13) + "y" + double("x", 13)))`],
    ['escapes of XML', `${doubling} local s = double("<", 16); f(function(n) std.escapeStringXML(s))`],
    [
      'escapes of control characters',
      `${doubling} local s = double("\u0080", 16); f(function(n) std.escapeStringJson(s))`,
    ],
    ['digits of numbers in JSON', 'local a = [1.7e308 for i in std.range(1, 3000)]; f(function(n) "" + a)'],
    [
      'digits of numbers in YAML',
      'local a = [1.7e308 for i in std.range(1, 3000)]; f(function(n) std.manifestYamlDoc(a))',
    ],
    [
      'hexadecimal digits',
      'local a = [1.7e308 for i in std.range(1, 300)]; f(function(n) std.foldl(function(x, b) x + std.length("%x" % b), a, 0))',
    ],
  ])('D8: %s cost steps as they take time', (_name, source) => {
    expect(limitOf(source.replace('f(function', `${oft} f(function`))).toBe('steps');
  });

  it('D8: what was nested and is done leaves the depth to the next', () => {
    const often = `[[a(400) == a(400), a(400) < nest(400, 2), a(400) < a(400)] for i in std.range(1, 5)]`;
    const objects = `[b(400) == b(400) for i in std.range(1, 5)]`;
    const other =
      'local nestObjects(n, v) = if n == 0 then v else nestObjects(n - 1, { a: v }) tailstrict; local b(n) = nestObjects(n, 1);';
    expect(limitOf(`${nesting} ${other} [${often}, ${objects}]`)).toMatch(/^none/);
  });

  it('which are settings', () => {
    const source = '[x for x in [1, 2, 3]]';
    expect(compile(source, { limits: { arrayLength: 3 } }).evaluate()).toBe('[1,2,3]');
    expect(() => compile(source, { limits: { arrayLength: 2 } }).evaluate()).toThrow('limit arrayLength exceeded');
    expect(() => compile(source, { limits: { steps: 2 } }).evaluate()).toThrow(
      'limit steps exceeded: more than 2 steps',
    );
    expect(() => compile('"abcd"', { limits: { textLength: 5 } }).evaluate()).toThrow('limit textLength exceeded');
    expect(() => compile('local f(n) = 1 + f(n); f(1)', { limits: { depth: 5 } }).evaluate()).toThrow(
      'max stack frames',
    );
  });

  it('and each evaluation has all of them for itself', () => {
    const template = compile('[x for x in [1, 2, 3]]', { limits: { steps: 30 } });
    for (let count = 0; count < 100; count++) expect(template.evaluate()).toBe('[1,2,3]');
  });
});
