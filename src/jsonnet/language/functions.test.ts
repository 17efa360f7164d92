import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('functions', () => {
  it('take arguments by position and by name', () => {
    const f = 'local f(a, b=2) = [a, b];';
    expect(valueOf(`${f} [f(1), f(1, 3), f(b=4, a=5), f(1, b=6,)]`)).toEqual([
      [1, 2],
      [1, 3],
      [5, 4],
      [1, 6],
    ]);
  });

  it('refuse arguments that do not fit', () => {
    expect(errorOf('(function(x) x)(1, 2)')).toBe(
      'runtime 1:2-22 function expected 1 positional argument(s), but got 2',
    );
    expect(errorOf('(function(x) x)()')).toContain('Missing argument: x');
    expect(errorOf('(function(x) x)(y=1)')).toContain('function has no parameter y');
    expect(errorOf('(function(x) x)(1, x=1)')).toContain('Argument x already provided');
    expect(errorOf('5(1)')).toBe('runtime 1:1-5 Unexpected type number, expected function');
  });

  it('close over the variables where they were made', () => {
    expect(valueOf('local add(a) = function(b) a + b; local one = add(1), ten = add(10); [one(5), ten(5)]')).toEqual([
      6, 15,
    ]);
  });

  it('cannot be a result, but one with defaults only is called', () => {
    expect(valueOf('function(a=3) a * 2')).toBe(6);
    expect(errorOf('function(a) a')).toContain('Missing argument: a');
    expect(errorOf('{ a: function() 1 }')).toContain("couldn't manifest function as JSON");
    expect(errorOf('local f() = 1; f == f')).toContain('Cannot test equality of functions');
  });

  it('may recurse 400 deep and not 600', () => {
    const f = 'local f(n) = if n == 0 then 0 else 1 + f(n - 1);';
    expect(valueOf(`${f} f(400)`)).toBe(400);
    expect(errorOf(`${f} f(600)`)).toContain('max stack frames exceeded');
  });
});

describe('tailstrict', () => {
  it('computes the arguments before the call', () => {
    expect(valueOf('local f(x) = 1; f(2) tailstrict')).toBe(1);
    expect(errorOf('local f(x) = 1; f(error "no") tailstrict')).toBe('runtime 1:19-29 no');
  });

  it('needs no stack at the end of a function', () => {
    expect(valueOf('local sum(n, acc=0) = if n == 0 then acc else sum(n - 1, acc + n) tailstrict; sum(20000)')).toBe(
      200_010_000,
    );
    expect(
      valueOf('local even(n) = n == 0 || odd(n), odd(n) = if n == 1 then true else odd(n - 2) tailstrict; odd(9999)'),
    ).toBe(true);
    expect(
      valueOf('local f(n) = local m = n - 1; assert m > -5; if m < 0 then "end" else f(n=m) tailstrict; f(5000)'),
    ).toBe('end');
  });

  it('works where the call is not at the end', () => {
    expect(valueOf('local f(x) = x + 1; [f(1) tailstrict, (f(1) tailstrict) + 1]')).toEqual([2, 3]);
    expect(valueOf('local g(x) = x * 2, f(x) = 1 + g(x) tailstrict; f(2)')).toBe(5);
  });
});
