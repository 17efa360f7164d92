import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('indexes', () => {
  it('of arrays and strings count from 0, strings by code point', () => {
    expect(valueOf('[[1, 2][1], "abc"[0], "é😀x"[1], "é😀x"[2]]')).toEqual([2, 'a', '😀', 'x']);
    expect(valueOf('[[1][0.5], [1, 2][1.9]]')).toEqual([1, 2]);
  });

  it('outside are errors that say what is there', () => {
    expect(errorOf('[1, 2][2]')).toBe('runtime 1:1-10 Index 2 out of bounds, not within [0, 2)');
    expect(errorOf('[1, 2][-1]')).toContain('Index -1 out of bounds');
    expect(errorOf('"😀"[1]')).toContain('Index 1 out of bounds, not within [0, 1)');
  });

  it('have the type that the value wants', () => {
    expect(errorOf('[1].a')).toBe('runtime 1:1-6 Unexpected type string, expected number');
    expect(errorOf('{ a: 1 }[1]')).toBe('runtime 1:1-12 Unexpected type number, expected string');
    expect(errorOf('null.a')).toBe('runtime 1:1-7 Value non indexable: null');
    expect(errorOf('[1][]')).toContain('An index requires an expression');
  });
});

describe('slices', () => {
  it('take a part of an array, from the start and before the end', () => {
    expect(valueOf('local a = [1, 2, 3, 4]; [a[1:3], a[:2], a[2:], a[:], a[1:100], a[3:1]]')).toEqual([
      [2, 3],
      [1, 2],
      [3, 4],
      [1, 2, 3, 4],
      [2, 3, 4],
      [],
    ]);
  });

  it('with negative bounds count from the end', () => {
    expect(valueOf('local a = [1, 2, 3, 4]; [a[-1:], a[-3:-1], a[:-2], a[-100:1]]')).toEqual([
      [4],
      [2, 3],
      [1, 2],
      [1],
    ]);
  });

  it('take each nth element', () => {
    expect(valueOf('local a = [1, 2, 3, 4, 5]; [a[::2], a[1::2], a[0:4:3], a[null:null:null]]')).toEqual([
      [1, 3, 5],
      [2, 4],
      [1, 4],
      [1, 2, 3, 4, 5],
    ]);
  });

  it('of strings count code points', () => {
    expect(valueOf('["abcdef"[1:3], "abcdef"[::2], "é😀xy"[1:3], "é😀xy"[-2:], "😀a😀"[::2]]')).toEqual([
      'bc',
      'ace',
      '😀x',
      'xy',
      '😀😀',
    ]);
  });

  it('do not compute elements', () => {
    expect(valueOf('[error "no", 2, error "no"][1:2]')).toEqual([2]);
  });

  it('refuse steps that do not go forward and what is no array or string', () => {
    expect(errorOf('[1][::0]')).toContain('step must be greater than 0');
    expect(errorOf('[1][::-1]')).toContain('negative steps are not supported');
    expect(errorOf('5[1:]')).toContain('std.slice accepts a string or an array, but got: number');
    expect(errorOf('[1]["a":]')).toContain('Unexpected type string, expected number');
    expect(errorOf('[1][1:2:3:4]')).toContain('Invalid slice: too many colons');
  });
});
