import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.length', () => {
  it('counts the elements of an array without computing them', () => {
    expect(json('std.length([1, error "late", []])')).toBe('3');
  });

  it('counts the code points of a string', () => {
    expect(json('std.length("aé😀")')).toBe('3');
  });

  it('counts the visible fields of an object, without asserting or computing it', () => {
    expect(json('std.length({ a: error "late", b:: 2, c::: 3, assert false })')).toBe('2');
    const parsed = compile('std.length(std.extVar("event"))', { extVars: { event: { x: 1, y: null } } });
    expect(parsed.evaluate()).toBe('2');
  });

  it('counts the parameters of a function that have no default', () => {
    expect(json('std.length(function(a, b, c=1) a)')).toBe('2');
    expect(json('std.length(std.foldl)')).toBe('3');
  });

  it('refuses null, booleans and numbers', () => {
    expect(() => json('std.length(null)')).toThrow('std.length: argument "x": Unexpected type null');
    expect(() => json('std.length(true)')).toThrow('Unexpected type boolean');
    expect(() => json('std.length(12)')).toThrow('Unexpected type number');
  });
});

describe('std.slice', () => {
  it('takes the part from index to before end, every step-th of it', () => {
    expect(json('std.slice([0, 1, 2, 3, 4, 5], 1, 5, 2)')).toBe('[1,3]');
    expect(json('std.slice("abcdef", 0, 4, 1)')).toBe('"abcd"');
  });

  it('takes null for the beginning, the end and a step of one', () => {
    expect(json('std.slice([1, 2, 3], null, null, null)')).toBe('[1,2,3]');
  });

  it('counts a negative index from the end', () => {
    expect(json('std.slice("template", -5, null, null)')).toBe('"plate"');
    expect(json('std.slice([1, 2, 3], 0, -1, 1)')).toBe('[1,2]');
  });

  it('leaves the elements late', () => {
    expect(json('std.slice([error "late", 2], 0, 2, 1)[1]')).toBe('2');
  });

  it('refuses a step of zero, a negative step, and what is neither array nor string', () => {
    expect(() => json('std.slice([1], 0, 1, 0)')).toThrow('step must be greater than 0');
    expect(() => json('std.slice([1], 0, 1, -1)')).toThrow('negative steps are not supported');
    expect(() => json('std.slice({}, 0, 1, 1)')).toThrow('std.slice accepts a string or an array, but got: object');
  });
});

describe('std.reverse', () => {
  it('turns an array around and leaves the elements late', () => {
    expect(json('std.reverse([1, 2, 3])')).toBe('[3,2,1]');
    expect(json('std.reverse([1, error "late"])[1]')).toBe('1');
    expect(json('std.reverse([])')).toBe('[]');
  });

  it('leaves its argument as it is', () => {
    expect(json('local a = [1, 2]; [std.reverse(a), a]')).toBe('[[2,1],[1,2]]');
  });

  it('refuses a string', () => {
    expect(() => json('std.reverse("abc")')).toThrow('Unexpected type string, expected array');
  });
});
