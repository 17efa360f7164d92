import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('==', () => {
  it.each([
    ['1 == 1.0', true],
    ['0 == -0', true],
    ['1 == "1"', false],
    ['null == false', false],
    ['"a" == "a"', true],
    ['"a" != "b"', true],
    ['[1, [2]] == [1, [2]]', true],
    ['[1] == [1, 2]', false],
    ['{ a: 1, b: 2 } == { b: 2, a: 1 }', true],
    ['{} == []', false],
    ['(function() 1) == 1', false],
    ['(function() 1) != null', true],
    ['[function() 1] == [1]', false],
  ])('%s is %s', (source, value) => {
    expect(valueOf(source)).toBe(value);
  });

  it('does not see hidden fields', () => {
    expect(valueOf('{ a: 1, b:: 2 } == { a: 1 }')).toBe(true);
    expect(valueOf('{ a: 1 } == { a: 1, b:: 2 }')).toBe(true);
    expect(valueOf('{ a:: 1 } == { a:: 2 }')).toBe(true);
    expect(valueOf('{ a: 1 } == { a:: 1 }')).toBe(false);
  });

  it('computes as much as it needs', () => {
    expect(valueOf('[1, error "x"] == [2, 1]')).toBe(false);
    expect(valueOf('[1] == [error "x", 2]')).toBe(false);
    expect(errorOf('[1, error "x"] == [1, 1]')).toBe('runtime 1:5-14 x');
  });

  it('checks the asserts of objects', () => {
    expect(errorOf('{ a: 1, assert false } == { a: 1 }')).toContain('Object assertion failed');
  });

  it('refuses two functions, wherever they are', () => {
    for (const source of ['(function() 1) == (function() 1)', '[std.length] == [std.length]', 'local f() = 1; f != f'])
      expect(errorOf(source)).toContain('Cannot test equality of functions');
  });
});

describe('< > <= >=', () => {
  it.each([
    ['1 < 2', true],
    ['"a" < "B"', false],
    ['"" < "a"', true],
    ['"ab" <= "ab"', true],
    ['[1] < [2]', true],
    ['[1, 2] < [1]', false],
    ['[] < [1]', true],
    ['[1] >= [1]', true],
    ['[[1], 2] < [[1], 3]', true],
    ['[1, "a"] < [2, 2]', true],
    ['[1, error "x"] < [2]', true],
  ])('%s is %s', (source, value) => {
    expect(valueOf(source)).toBe(value);
  });

  it('order texts by code point', () => {
    expect(valueOf(String.raw`"\uffff" < "😀"`)).toBe(true);
  });

  it.each([
    ['1 < "a"', 'Unexpected type string, expected number'],
    ['[1] < 1', 'Unexpected type number, expected array'],
    ['[1, "a"] < [1, 2]', 'Unexpected type number, expected string'],
    ['{} < {}', 'Unexpected type object'],
    ['null < null', 'Unexpected type null'],
    ['true < false', 'Unexpected type boolean'],
    ['std.length < std.length', 'Unexpected type function'],
    ['1 < 2 < 3', 'Unexpected type boolean'],
  ])('refuse %s', (source, message) => {
    expect(errorOf(source)).toContain(message);
  });
});
