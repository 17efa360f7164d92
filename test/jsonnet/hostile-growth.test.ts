import { afterAll, describe, expect, it } from 'vitest';
import { JsonnetProcess } from '../support/jsonnet-process.ts';

const small = new JsonnetProcess(64);
const large = new JsonnetProcess(128);

afterAll(() => {
  small[Symbol.dispose]();
  large[Symbol.dispose]();
});

const doubling = 'local double(s, n) = if n == 0 then s else double(s + s, n - 1) tailstrict;';
const thousand = 'local r = std.range(1, 1000);';

/** So many names, fields, elements or the like, with commas. */
function many(count: number, one: (index: number) => string): string {
  return Array.from({ length: count }, (_none, index) => one(index)).join(', ');
}

/** A loop that keeps in `t` what each turn makes. */
function keeping(step: string): string {
  return `local f(n, t) = if n == 0 then std.length(t) else ${step}; f(1e6, [])`;
}

describe('what grows hits its limit, in 64 MB of heap', () => {
  it.each([
    ['recursion', 'local f(x) = f(x + 1) + 1; f(0)', 'limit depth'],
    ['a loop without end', 'local f(x) = f(x + 1) tailstrict; f(0)', 'limit steps'],
    [
      'a loop of 10 million turns',
      'local f(n) = if n == 0 then 0 else f(n - 1) tailstrict; f(10000000)',
      'limit steps',
    ],
    ['two calls in each', 'local f(n) = if n < 2 then n else f(n - 1) + f(n - 2); f(60)', 'limit steps'],
    ['a string doubled 30 times', `${doubling} double("x", 30)`, 'limit textLength'],
    ['an array doubled 30 times', `${doubling} double([1], 30)`, 'limit arrayLength'],
    ['an object doubled 30 times', `${doubling} double({ a: 1 }, 30)`, 'limit arrayLength'],
    ['std.repeat to 4 GB', 'std.repeat("x", 4e9)', 'limit textLength'],
    ['std.repeat of an array', 'std.repeat([1], 4e9)', 'limit arrayLength'],
    ['nothing repeated', 'std.repeat("", 1e15) + std.length(std.repeat([], 1e15))', 'result "0"'],
    ['a format width of a billion', '"%1000000000d" % 1', 'limit textLength'],
    ['a format width from the values', '"%*d" % [1000000000, 1]', 'limit textLength'],
    ['a format precision from the values', '"%.*d" % [1000000000, 1]', 'limit textLength'],
    ['digits after the point', '"%.1000000000f" % 1', 'runtime 1:1-20 Overflow'],
    ['many wide formats', 'std.format(std.repeat("%1000d", 10000), std.range(1, 10000))', 'limit textLength'],
    ['std.range(1, 1e12)', 'std.range(1, 1e12)', 'limit arrayLength'],
    ['std.range over all numbers', 'std.range(-1e308, 1e308)', 'limit arrayLength'],
    ['std.makeArray', 'std.makeArray(1e12, function(i) i)', 'limit arrayLength'],
    ['a comprehension that passes all', `${thousand} [1 for a in r for b in r for c in r]`, 'limit steps'],
    ['a comprehension that passes nothing', `${thousand} [1 for a in r for b in r for c in r if false]`, 'limit steps'],
    [
      'a comprehension with wide steps',
      `${thousand} [local a = x, b = a, c = b, d = c, e = d; e for x in r for y in r]`,
      'limit steps',
    ],
    ['a million fields', '{ ["k" + i]: i for i in std.range(1, 999999) }', 'limit steps'],
    ['arrays put together in a fold', 'std.foldl(function(a, x) a + [x], std.range(1, 100000), [])', 'limit steps'],
    [
      'objects put together in a fold',
      'std.foldl(function(a, x) a + { ["k" + x]: 1 }, std.range(1, 100000), {})',
      'limit steps',
    ],
    ['100,000 layers', 'std.foldl(function(a, x) a { k+: 1 }, std.range(1, 100000), { k: 0 })', 'limit steps'],
    ['a string built letter by letter', 'std.foldl(function(a, x) a + a[0], std.range(1, 300000), "x")', 'limit steps'],
    ['a result of long strings', `${doubling} local s = double("x", 19); [s, s, s]`, 'limit textLength'],
    ['a result of characters that are escaped', `${doubling} double("\\u0001", 19)`, 'limit textLength'],
    ['numbers of 309 digits', 'std.repeat([1e308], 4000)', 'limit textLength'],
    [
      'numbers of 309 digits, one by one',
      'std.foldl(function(a, x) a + std.length("" + 1e308), std.range(1, 900000), 0)',
      'limit steps',
    ],
    ['wide arrays', keeping(`f(n - 1, [t${', n'.repeat(1500)}]) tailstrict`), 'limit steps'],
  ])('%s', async (_name, source, outcome) => {
    expect(await small.outcomeOf(source)).toBe(outcome);
  });
});

describe('what keeps all that it makes runs out of steps, in 128 MB of heap', () => {
  it.each([
    ['late elements', 'local r = std.range(1, 999999); [[a + 1] for a in r]'],
    ['arrays of arrays', 'local r = std.range(1, 999999); [std.length(r + [1]) for x in r]'],
    ['a list', keeping('f(n - 1, [t, n + 1]) tailstrict')],
    ['arrays of one element', keeping('f(n - 1, [[[[[[[[t]]]]]]]]) tailstrict')],
    [
      'late arguments',
      `local g(a, b, c, d) = function() a; ${keeping('f(n - 1, [t, g(n + 1, n + 2, n + 3, n + 4)]) tailstrict')}`,
    ],
    [
      'defaults of parameters',
      `local g(a, b=a + 1, c=b + 1) = function() c; ${keeping('f(n - 1, [t, g(n + 1)]) tailstrict')}`,
    ],
    [
      'long strings',
      `${doubling} local s = double("界", 19), l = [std.asciiUpper(s + n) for n in std.range(1, 1000)];
      std.foldl(function(a, u) a + std.length(u), l, 0)`,
    ],
    [
      'copies of arrays',
      'local r = std.range(1, 100000), l = [r[1:] for n in r]; std.foldl(function(a, u) a + std.length(u), l, 0)',
    ],
    ['a list of strings', keeping('f(n - 1, [t, "a" + n]) tailstrict')],
    [
      'a list of locals',
      keeping('local a = n + 1, b = n + 2, c = n + 3, d = n + 4; f(n - 1, [t, function() a]) tailstrict'),
    ],
    [
      'a list of many locals',
      keeping(`local ${many(250, (index) => `a${index} = n + 1`)}; f(n - 1, [t, function() a1]) tailstrict`),
    ],
    ['a list of objects', keeping('f(n - 1, { t:: t, n: n, m: self.n, q: self.m }) tailstrict')],
    ['objects that are read', keeping('local o = { t:: t, n: n, m: self.n }; if o.m > 0 then f(n - 1, o) tailstrict')],
    ['wide objects', keeping(`f(n - 1, { t: t, ${many(250, (index) => `a${index}: n`)} }) tailstrict`)],
    ['objects of many literals', keeping('f(n - 1, { t:: t } + { n: n } + { m: n }) tailstrict')],
    [
      'late elements by the dozen',
      keeping('f(n - 1, [t, n + 1, n + 2, n + 3, n + 4, n + 5, n + 6, n + 7]) tailstrict'),
    ],
    [
      'JSON again and again',
      `${doubling} local t = "[" + double("{},", 18) + "1]", l = [std.parseJson(t) for x in std.range(1, 1000)];
       std.foldl(function(a, b) a + std.length(b), l, 0)`,
    ],
  ])('%s', async (_name, source) => {
    expect(await large.outcomeOf(source)).toBe('limit steps');
  });
});
