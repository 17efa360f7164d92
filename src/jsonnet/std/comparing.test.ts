import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.__compare', () => {
  it('gives the order of numbers, strings and arrays as -1, 0 or 1', () => {
    expect(
      valueOf(
        '[std.__compare(1, 5), std.__compare("b", "a"), std.__compare([1, "a"], [1, "a"]), std.__compare([1], [1, 0])]',
      ),
    ).toEqual([-1, 1, 0, -1]);
    expect(valueOf(String.raw`std.__compare(v1="\ue000", v2="😀")`)).toBe(-1);
  });

  it('refuses what has no order', () => {
    expect(errorOf('std.__compare(1, "a")')).toContain('Comparison requires matching types. Got number and string');
    expect(errorOf('std.__compare({}, {})')).toContain('Values of type object are not comparable.');
    expect(errorOf('std.__compare([1], ["a"])')).toContain('Unexpected type string, expected number');
  });
});

describe('the operators of arrays as functions', () => {
  it('compare element by element', () => {
    const all = [
      '__compare_array',
      '__array_less',
      '__array_greater',
      '__array_less_or_equal',
      '__array_greater_or_equal',
    ];
    const results = (pair: string): unknown => valueOf(`[${all.map((name) => `std.${name}(${pair})`).join(', ')}]`);
    expect(results('[1, 2], [1, 3]')).toEqual([-1, true, false, true, false]);
    expect(results('[2], [1, 3]')).toEqual([1, false, true, false, true]);
    expect(results('arr1=[], arr2=[]')).toEqual([0, false, false, true, true]);
  });

  it('do not compute what is after the first difference', () => {
    expect(valueOf('std.__array_less([1, error "no"], [2, error "no"])')).toBe(true);
  });

  it('refuse what is no array', () => {
    expect(errorOf('std.__array_less(1, [])')).toContain('std.__array_less: argument "arr1": Unexpected type number');
  });
});
