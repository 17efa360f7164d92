import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('comprehensions', () => {
  it('of arrays go over loops and conditions from left to right', () => {
    expect(valueOf('[x * 2 for x in [1, 2, 3]]')).toEqual([2, 4, 6]);
    expect(valueOf('[[x, y] for x in [1, 2, 3] if x != 2 for y in [x, 9] if y != 1]')).toEqual([
      [1, 9],
      [3, 3],
      [3, 9],
    ]);
    expect(valueOf('[x for x in [1, 2, 3, 4] if x > 1 if x < 4]')).toEqual([2, 3]);
    expect(valueOf('[x for x in [1, 2] for x in [x, x + 1]]')).toEqual([1, 2, 2, 3]);
    expect(valueOf('[1 for x in []]')).toEqual([]);
    expect(valueOf('[x, for x in [1]]')).toEqual([1]);
  });

  it('each step has variables of its own', () => {
    expect(valueOf('[f(10) for f in [function(y) x + y for x in [1, 2]]]')).toEqual([11, 12]);
    expect(valueOf('[local z = x; [z for i in [1, 2]] for x in [1, 2]]')).toEqual([
      [1, 1],
      [2, 2],
    ]);
  });

  it('see self and $ of the object around', () => {
    expect(valueOf('{ a: 1, b: [x + self.a + $.a for x in [1]] }')).toEqual({ a: 1, b: [3] });
  });

  it('of objects bind self to the whole object', () => {
    expect(valueOf('{ [k]: k + "!" for k in ["b", "a"] }')).toEqual({ a: 'a!', b: 'b!' });
    expect(valueOf('{ ["n" + i]: if i == 0 then 1 else self["n" + (i - 1)] * 2 for i in [0, 1, 2] }')).toEqual({
      n0: 1,
      n1: 2,
      n2: 4,
    });
    expect(valueOf('{ local y = x * 2, ["k" + x]: y, local z = y for x in [1, 2] }')).toEqual({ k1: 2, k2: 4 });
    expect(valueOf('{ [k]: 1 for k in ["a", null] }')).toEqual({ a: 1 });
    expect(valueOf('{ [k]+: 1 for k in ["a"] } + { a+: 1 }')).toEqual({ a: 2 });
  });

  it('refuse what is no array, no boolean and a name twice', () => {
    expect(errorOf('[x for x in 5]')).toBe('runtime 1:13-14 Unexpected type number, expected array');
    expect(errorOf('[x for x in "ab"]')).toContain('Unexpected type string, expected array');
    expect(errorOf('[x for x in [1] if x]')).toBe('runtime 1:20-21 Unexpected type number, expected boolean');
    expect(errorOf('{ [k]: 1 for k in ["a", "a"] }')).toBe('runtime 1:4-5 Duplicate field name: "a"');
  });

  it('of objects take one computed visible field and no assert', () => {
    expect(errorOf('{ a: 1 for x in [1] }')).toContain('static 1:3-7 Object comprehensions can only have [e] fields');
    expect(errorOf('{ [x]:: 1 for x in ["a"] }')).toContain('cannot have hidden fields');
    expect(errorOf('{ [x]: 1, [x]: 2 for x in ["a"] }')).toContain('can only have one field');
    expect(errorOf('{ assert true, [x]: 1 for x in ["a"] }')).toContain('cannot have asserts');
  });
});
