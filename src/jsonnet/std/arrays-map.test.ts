import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.map', () => {
  it('calls the function with each element, or each code point', () => {
    expect(json('std.map(function(x) x + 1, [1, 2])')).toBe('[2,3]');
    expect(json('std.map(function(c) c + c, "é😀")')).toBe('["éé","😀😀"]');
  });

  it('takes a function of std', () => {
    expect(json('std.map(std.length, ["a", [1, 2]])')).toBe('[1,2]');
  });

  it('computes neither result nor element before it is used', () => {
    expect(json('std.length(std.map(function(x) error "late", [1, 2]))')).toBe('2');
    expect(json('std.map(function(x) "constant", [error "late"])')).toBe('["constant"]');
  });

  it('refuses other types', () => {
    expect(() => json('std.map("f", [])')).toThrow('std.map: argument "func": Unexpected type string');
    expect(() => json('std.map(function(x) x, {})')).toThrow('argument "arr": Unexpected type object');
  });
});

describe('std.mapWithIndex', () => {
  it('gives the function index and element', () => {
    expect(json('std.mapWithIndex(function(i, x) [i, x], ["a", "b"])')).toBe('[[0,"a"],[1,"b"]]');
    expect(json('std.mapWithIndex(function(i, c) c + i, "xy")')).toBe('["x0","y1"]');
  });

  it('computes a result when it is used', () => {
    expect(json('std.mapWithIndex(function(i, x) if i == 0 then error "late" else x, [1, 2])[1]')).toBe('2');
  });
});

describe('std.filter', () => {
  it('keeps the elements that pass, in order', () => {
    expect(json('std.filter(function(x) x % 2 == 1, [5, 4, 3, 2, 1])')).toBe('[5,3,1]');
  });

  it('leaves elements late that the function does not look at', () => {
    expect(json('std.length(std.filter(function(x) true, [error "late"]))')).toBe('1');
  });

  it('refuses a result that is no boolean, and a string in place of an array', () => {
    expect(() => json('std.filter(function(x) 1, [1])')).toThrow(
      'std.filter: result of "func": Unexpected type number, expected boolean',
    );
    expect(() => json('std.filter(function(x) true, "abc")')).toThrow('Unexpected type string, expected array');
  });
});

describe('std.filterMap', () => {
  it('filters, then maps, and maps late', () => {
    expect(json('std.filterMap(function(x) x > 1, function(x) x * x, [1, 2, 3])')).toBe('[4,9]');
    expect(json('std.length(std.filterMap(function(x) true, function(x) error "late", [1]))')).toBe('1');
    expect(json('std.filterMap(filter_func=function(x) x, map_func=function(x) "yes", arr=[true, false])')).toBe(
      '["yes"]',
    );
  });

  it('refuses a result of the filter that is no boolean', () => {
    expect(() => json('std.filterMap(function(x) null, function(x) x, [1])')).toThrow('result of "filter_func"');
  });
});

describe('std.flatMap', () => {
  it('puts the arrays that the function gives one after the other', () => {
    expect(json('std.flatMap(function(x) std.makeArray(x, function(i) x), [2, 0, 1])')).toBe('[2,2,1]');
  });

  it('joins the strings that the function gives for the code points of a string', () => {
    expect(json('std.flatMap(function(c) if c == " " then "" else c + "-", "a 😀")')).toBe('"a-😀-"');
  });

  it('leaves the elements of the results late', () => {
    expect(json('std.length(std.flatMap(function(x) [error "late"], [1, 2]))')).toBe('2');
  });

  it('refuses a result that does not fit', () => {
    expect(() => json('std.flatMap(function(x) x, [1])')).toThrow('Unexpected type number, expected array');
    expect(() => json('std.flatMap(function(c) [c], "a")')).toThrow('Unexpected type array, expected string');
    expect(() => json('std.flatMap(function(x) x, 1)')).toThrow('expected array or string');
  });

  it('names the limit that the result is above', () => {
    const big = 'local a = std.range(1, 400000); std.length(std.flatMap(function(x) a, [1, 2, 3]))';
    expect(() => json(big)).toThrow('limit arrayLength exceeded');
    const long = 'local t = std.repeat("x", 600000); std.length(std.flatMap(function(c) t, "ab"))';
    expect(() => json(long)).toThrow('limit textLength exceeded');
  });
});
