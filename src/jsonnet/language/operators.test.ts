import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('operators bind', () => {
  it.each([
    ['1 + 2 * 3', 7],
    ['1 - 2 - 3', -4],
    ['12 / 3 / 2', 2],
    ['7 % 4 % 2', 1],
    ['-2 * -3', 6],
    ['- - 1', 1],
    [`1 ${'-'.repeat(63)}/* c */1`, 0],
    [`1 ${'-'.repeat(64)}// c\n1`, 2],
    ['"a" +|||\n  b\n|||', 'ab\n'],
    ['1 - -1', 2],
    ['!true == false', true],
    ['1 << 2 + 1', 8],
    ['1 + 1 << 2', 8],
    ['1 | 2 ^ 3 & 4', 3],
    ['1 < 2 == true', true],
    ['true == 1 < 2', true],
    ['1 == 1 && 2 == 2 || false', true],
    ['false && false || true', true],
    ['true || false && false', true],
    ['"a" + "b" in { ab: 1 }', true],
    ['"x" == "a" in { a: 1 }', false],
    ['1 + if true then 2 else 3 + 4', 3],
    ['local f = function(x) x + 1; f(1) * 2', 4],
    ['-[3][0]', -3],
    ['{ a: 1 } { b: 2 }.b', 2],
    ['({ a: 1 } + { b: 2 }).a', 1],
    ['1 + 1 == 2 || error "not computed"', true],
    ['"%s" % 1 + 2', '12'],
  ])('%s', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  it('weaker & than ==, as in C', () => {
    expect(errorOf('1 & 3 == 3')).toBe('runtime 1:1-11 Unexpected type boolean, expected number');
  });

  it('! stronger than in', () => {
    expect(errorOf('!"b" in { a: 1 }')).toContain('Unexpected type string, expected boolean');
  });
});

describe('numbers', () => {
  it.each([
    ['-7 % 3', -1],
    ['7 % -3', 1],
    ['-7.5 % 2', -1.5],
    ['0.1 + 0.2', 0.1 + 0.2],
  ])('%s', (source, value) => {
    expect(valueOf(source)).toBe(value);
  });

  it.each([
    ['1e308 * 10 / 10 == 1', 'Overflow'],
    ['1e308 + 1e308', 'Overflow'],
    ['1 / 0', 'Division by zero'],
    ['0 / 0', 'Division by zero'],
    ['1 % 0', 'Division by zero'],
    ['{} % 1', 'Operator % cannot be used on types object and number.'],
    ['1 % "a"', 'Operator % cannot be used on types number and string.'],
  ])('refuse %s', (source, message) => {
    expect(errorOf(source)).toContain(message);
  });

  it.each([
    ['6 & 3', 2],
    ['6 | 3', 7],
    ['6 ^ 3', 5],
    ['~5', -6],
    ['~-1', 0],
    ['~1.5', -2],
    ['6.9 & 3.9', 2],
    ['1 << 52', 2 ** 52],
    ['1 << 62', 2 ** 62],
    ['-1 >> 70', -1],
    ['-8 >> 1', -4],
    ['9007199254740991 | 0', 9007199254740991],
    ['-9007199254740991 ^ 0', -9007199254740991],
  ])('of bits: %s', (source, value) => {
    expect(valueOf(source)).toBe(value);
  });

  it.each([
    ['9007199254740992 | 0', 'outside of range'],
    ['1e18 & 1', 'outside of range'],
    ['1 << -1', 'Shift by negative exponent'],
    ['1 >> -1', 'Shift by negative exponent'],
    ['"a" << 1', 'Unexpected type string, expected number'],
    ['true & 1', 'Unexpected type boolean'],
  ])('of bits are refused: %s', (source, message) => {
    expect(errorOf(source)).toContain(message);
  });
});

describe('+', () => {
  it.each([
    ['"a" + 1', 'a1'],
    ['1 + "a"', '1a'],
    ['"a" + null', 'anull'],
    ['true + "a"', 'truea'],
    ['"a" + { b: [1, "x"], c:: 2 }', 'a{"b": [1, "x"]}'],
    ['[] + "a"', '[ ]a'],
    ['{} + "a"', '{ }a'],
    ['[1] + [2]', [1, 2]],
    ['+1', 1],
  ])('%s', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  it.each([
    ['null + null', 'Unexpected type null'],
    ['true + true', 'Unexpected type boolean'],
    ['[1] + 1', 'Unexpected type number, expected array'],
    ['1 + [1]', 'Unexpected type array, expected number'],
    ['{} + 1', 'Unexpected type number, expected object'],
    ['"a" + (function() 1)', "couldn't manifest function"],
    ['+"a"', 'Unexpected type string, expected number'],
    ['-true', 'Unexpected type boolean, expected number'],
    ['"a" * 2', 'Unexpected type string, expected number'],
  ])('refuses %s', (source, message) => {
    expect(errorOf(source)).toContain(message);
  });
});

describe('&& and || take booleans', () => {
  it('and compute the right one only when it decides', () => {
    expect(valueOf('[true || error "x", false && error "x"]')).toEqual([true, false]);
  });

  it.each(['1 && true', 'true && 1', 'null || true', 'false || "a"', '!1'])('%s is refused', (source) => {
    expect(errorOf(source)).toContain('expected boolean');
  });
});
