import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

const one = '{ "null": null, boolean: true, number: 1, string: "a", array: [1], object: {}, "function": function() 1 }';

describe('std.type and its kin', () => {
  it('name the type of a value', () => {
    expect(valueOf(`local o = ${one}; [std.type(o[name]) == name for name in std.objectFields(o)]`)).toEqual(
      Array.from({ length: 7 }, () => true),
    );
  });

  it.each(['Null', 'Boolean', 'Number', 'String', 'Array', 'Object', 'Function'])(
    'std.is%s holds for one type',
    (name) => {
      const type = name.toLowerCase();
      expect(valueOf(`local o = ${one}; [n for n in std.objectFields(o) if std.is${name}(v=o[n])]`)).toEqual([type]);
    },
  );

  it('do not compute what is in an array or object', () => {
    expect(valueOf('[std.type([error "no"]), std.isObject({ a: error "no" })]')).toEqual(['array', true]);
  });

  it('take one value', () => {
    expect(errorOf('std.type()')).toContain('Missing argument: x');
    expect(errorOf('std.isString(1, 2)')).toContain('function expected 1 positional argument(s), but got 2');
  });
});

describe('std.equals', () => {
  it('is the operator ==', () => {
    expect(
      valueOf('[std.equals([1, { a: 2 }], [1, { a: 2, b:: 3 }]), std.equals(1, "1"), std.equals(null, null)]'),
    ).toEqual([true, false, true]);
  });

  it('refuses functions', () => {
    expect(errorOf('local f(x) = x; std.equals(f, f)')).toContain('Cannot test equality of functions');
  });
});

describe('std.primitiveEquals', () => {
  it('compares what has no parts', () => {
    expect(
      valueOf('[std.primitiveEquals(1, 1), std.primitiveEquals("a", "b"), std.primitiveEquals(null, false)]'),
    ).toEqual([true, false, false]);
  });

  it('refuses what has parts', () => {
    expect(errorOf('std.primitiveEquals([], [])')).toContain('primitiveEquals operates on primitive types, got array');
  });
});

describe('std.assertEqual', () => {
  it('is true for equal values', () => {
    expect(valueOf('std.assertEqual(a=[1, "x"], b=[1, "x"])')).toBe(true);
  });

  it('shows the values that differ, strings in quotes', () => {
    expect(errorOf('std.assertEqual({ a: 1 }, [1])')).toContain('Assertion failed. {"a": 1} != [1]');
    expect(errorOf('std.assertEqual("a\\n", "b")')).toContain(String.raw`Assertion failed. "a\n" != "b"`);
  });
});
