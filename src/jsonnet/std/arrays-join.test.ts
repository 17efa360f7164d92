import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.join', () => {
  it('joins strings with a string between them', () => {
    expect(json('std.join(", ", ["a", "b", "c"])')).toBe('"a, b, c"');
    expect(json('std.join("-", [])')).toBe('""');
  });

  it('joins arrays with an array between them, and leaves their elements late', () => {
    expect(json('std.join([0, 0], [[1], [], [2, 3]])')).toBe('[1,0,0,0,0,2,3]');
    expect(json('std.length(std.join([error "late"], [[error "late"], [1]]))')).toBe('3');
  });

  it('skips nulls and their separators', () => {
    expect(json('std.join(",", [null, "a", null, "b", null])')).toBe('"a,b"');
    expect(json('std.join([0], [null, [1], null, [2]])')).toBe('[1,0,2]');
  });

  it('keeps separators around empty strings', () => {
    expect(json('std.join(",", ["", "a", ""])')).toBe('",a,"');
  });

  it('refuses elements of the other kind, and separators of neither', () => {
    expect(() => json('std.join(",", ["a", 1])')).toThrow('element of "arr": Unexpected type number, expected string');
    expect(() => json('std.join([], [[1], "a"])')).toThrow('Unexpected type string, expected array');
    expect(() => json('std.join(1, [])')).toThrow('argument "sep": Unexpected type number, expected string or array');
    expect(() => json('std.join(",", "abc")')).toThrow('Unexpected type string, expected array');
  });

  it('names the limit that the result is above', () => {
    expect(() => json('std.join(std.repeat("-", 1000), std.makeArray(2000, function(i) ""))')).toThrow(
      'limit textLength exceeded',
    );
    expect(() => json('std.join(std.range(1, 1000), std.makeArray(2000, function(i) []))')).toThrow('limit');
  });
});

describe('std.deepJoin', () => {
  it('joins the strings of nested arrays', () => {
    expect(json('std.deepJoin(["a", ["b", [], ["c"]], "d"])')).toBe('"abcd"');
    expect(json('std.deepJoin("as it is")')).toBe('"as it is"');
  });

  it('refuses anything else, however deep', () => {
    expect(() => json('std.deepJoin(1)')).toThrow('Unexpected type number, expected string or array');
    expect(() => json('std.deepJoin(["a", [null]])')).toThrow('Expected string or array, got null');
  });

  it('ends with an error in an array that contains itself', () => {
    expect(() => json('local a = [a]; std.deepJoin(a)')).toThrow('max stack frames exceeded');
  });
});

describe('std.flattenArrays', () => {
  it('puts arrays one after the other, one level deep, and leaves their elements late', () => {
    expect(json('std.flattenArrays([[1, [2]], [], [3]])')).toBe('[1,[2],3]');
    expect(json('std.flattenArrays([])')).toBe('[]');
    expect(json('std.length(std.flattenArrays([[error "late"]]))')).toBe('1');
  });

  it('refuses an element that is no array', () => {
    expect(() => json('std.flattenArrays([[1], 2])')).toThrow('Unexpected type number, expected array');
  });
});

describe('std.flattenDeepArray', () => {
  it('puts all that is no array into one array', () => {
    expect(json('std.flattenDeepArray([1, [2, [[], [{ a: [3] }]]], null, "ab"])')).toBe('[1,2,{"a":[3]},null,"ab"]');
    expect(json('std.flattenDeepArray(value=7)')).toBe('[7]');
  });

  it('ends with an error in an array that contains itself', () => {
    expect(() => json('local a = [1, a]; std.flattenDeepArray(a)')).toThrow('max stack frames exceeded');
    expect(() => json('local a = [a, a]; std.flattenDeepArray(a)')).toThrow('max stack frames exceeded');
  });
});
