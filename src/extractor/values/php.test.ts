import { describe, expect, test } from 'vitest';
import type { JsonValue } from './json-value.ts';
import { filtered } from '../items/response-filter.ts';
import { jsonText } from './json-text.ts';
import { integerOf, isEmpty, isNumeric, typeOf } from './loose.ts';

describe('loose values', () => {
  test.each([[undefined], [null], [false], [0], [''], ['0'], [[]]])('%o is empty', (value) => {
    expect(isEmpty(value)).toBe(true);
  });

  test.each([['a'], ['0.0'], [' '], [{}], [[0]], [0.1], [1n]])('%o is not', (value) => {
    expect(isEmpty(value)).toBe(false);
  });

  test.each([['1'], [' 1.5e3 '], ['-.5'], ['+7.'], [3], [3n]])('%o is numeric', (value) => {
    expect(isNumeric(value)).toBe(true);
  });

  test.each([['a1'], ['1a'], [''], ['.'], ['0x1'], [true], [null], [[]], ['1 2']])('%o is not', (value) => {
    expect(isNumeric(value)).toBe(false);
  });

  test.each([
    ['12abc', 12],
    ['abc', 0],
    ['-0.9', 0],
    ['1e3x', 1000],
    [true, 1],
    [null, 0],
    [[1], 1],
    ['9e999', 0],
  ])('%o is the integer %i', (value, integer) => {
    expect(integerOf(value)).toBe(integer);
  });

  test.each([
    [null, 'NULL'],
    [[], 'array'],
    [{}, 'object'],
    [1, 'integer'],
    [1.5, 'double'],
    [1n, 'integer'],
    ['a', 'string'],
    [true, 'boolean'],
  ])('%o is called %s', (value, name) => {
    expect(typeOf(value)).toBe(name);
  });
});

test.each<[JsonValue, string]>([
  [{ a: [1, 'x/y', null, true] }, '{"a":[1,"x\\/y",null,true]}'],
  ['é😀\u007f"\\', '"\\u00e9\\ud83d\\ude00\u007f\\"\\\\"'],
  ['\ud800', '"\\ufffd"'],
  [0.1, '0.10000000000000001'],
  [1.5, '1.5'],
  [-2, '-2'],
  [1e25, '1.0000000000000001e+25'],
  [1e22, '1.0e+22'],
  [1e-7, '9.9999999999999995e-8'],
  [123_456_789_012_345_680, '1.2345678901234568e+17'],
  [12_345_678_901_234_567_890n, '12345678901234567890'],
])('%o is written as %s', (value, text) => {
  expect(jsonText(value)).toBe(text);
});

describe('1.11: a response filter', () => {
  const filter = (paths: readonly string[], encodesScalars = true) => ({ paths, delimiter: '.', encodesScalars });
  const item = { a: { b: { c: 1 }, n: null }, l: [{ b: 1.5 }, { c: 2 }, 3], s: 'é' };

  test.each<[string, JsonValue]>([
    ['a.b', { ...item, a: { b: '{"c":1}', n: null } }],
    ['l', { ...item, l: '[{"b":1.5},{"c":2},3]' }],
    ['l[]', { ...item, l: ['{"b":1.5}', '{"c":2}', '3'] }],
    ['l[].b', { ...item, l: [{ b: '1.5' }, { c: 2 }, 3] }],
    ['s', { ...item, s: '"\\u00e9"' }],
    ['a.n', { ...item, a: { b: { c: 1 }, n: 'null' } }],
    ['a.x.y', item],
  ])('of %s', (path, result) => {
    expect(filtered(item, filter([path]))).toEqual(result);
  });

  test('of several paths', () => {
    expect(filtered(item, filter(['a', 'l']))).toMatchObject({ a: '{"b":{"c":1},"n":null}', s: 'é' });
  });

  test('below level 3 leaves scalars as they are', () => {
    expect(filtered(item, filter(['s', 'a.b'], false))).toEqual({ ...item, a: { b: '{"c":1}', n: null } });
  });

  test.each<[string, JsonValue]>([
    ['e', { e: [] }],
    ['e', { e: null }],
    ['e[]', { e: 0 }],
  ])('below level 3 leaves what is empty as it is (example 122): %s of %j', (path, empty) => {
    expect(filtered(empty, filter([path], false))).toEqual(empty);
  });

  test('below level 3 encodes nulls in an array', () => {
    expect(filtered({ e: [null, 1] }, filter(['e[]'], false))).toEqual({ e: ['null', 1] });
  });

  test('D8: that makes texts within texts without an end ends in words', () => {
    const message = /The texts of one item have more than 16777216 characters/;
    expect(() => filtered({ s: '"' }, filter(Array.from({ length: 100 }, () => 's')))).toThrow(message);
    let deep: JsonValue = '"';
    for (let level = 0; level < 60; level += 1) deep = { a: deep };
    const paths = Array.from({ length: 60 }, (_, at) => Array.from({ length: 60 - at }, () => 'a').join('.'));
    expect(() => filtered(deep, filter(paths))).toThrow(message);
    const long = { s: 'x'.repeat(1024 * 1024) };
    expect(() => filtered(long, filter(Array.from({ length: 17 }, () => 's')))).toThrow(message);
    expect(filtered({ s: 'x' }, filter(['s', 's']))).toEqual({ s: String.raw`"\"x\""` });
  });

  test('of each element of what is no array is refused', () => {
    expect(() => filtered({ l: 1 }, filter(['l[]']))).toThrow("Error filtering response. 'l' is not an array.");
  });
});
