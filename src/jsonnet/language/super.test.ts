import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('super', () => {
  it('is what the layers below give, with the whole object as self', () => {
    const base = 'local base = { f: 2, g: self.f + 100 }; local up = { f: super.f * 2, g: super.g + 1 };';
    expect(valueOf(`${base} base + up`)).toEqual({ f: 4, g: 105 });
    expect(valueOf(`${base} base + up + up`)).toEqual({ f: 8, g: 110 });
    expect(valueOf(`${base} base + (up + up)`)).toEqual({ f: 8, g: 110 });
  });

  it('goes down one layer for each layer it is used in', () => {
    const layers = Array.from({ length: 30 }, (_, index) => `{ a: super.a + [${index}] }`).join(' + ');
    expect(valueOf(`({ a: [] } + ${layers}).a`)).toEqual(Array.from({ length: 30 }, (_, index) => index));
  });

  it('computes a field of a layer once', () => {
    const layers = Array.from({ length: 60 }, () => '{ a: super.a + super.a }').join(' + ');
    expect(valueOf(`({ a: 1 } + ${layers}).a`)).toBe(2 ** 60);
  });

  it('may be asked for a field with in, and indexed with an expression', () => {
    expect(valueOf('{ x: 1 } { a: "x" in super, b: "y" in super, c: super["x"] }')).toEqual({
      a: true,
      b: false,
      c: 1,
      x: 1,
    });
    expect(valueOf('{ a: "x" in super }')).toEqual({ a: false });
  });

  it('reaches hidden fields', () => {
    expect(valueOf('{ a:: 1 } { b: super.a }')).toEqual({ b: 1 });
  });

  it('belongs to the object around it, also in functions and locals of fields', () => {
    expect(valueOf('({ a: 1 } { a: 5, f(x):: super.a + x, local s = super.a, b: s }).f(1)')).toBe(2);
    expect(valueOf('({ a: 1 } { a: 5, b: [super.a + i for i in [1]] }).b')).toEqual([2]);
    expect(errorOf('{ a: 1 } + { b: { c: super.a } }')).toContain('Attempt to use super when there is no super class.');
  });

  it('without a layer below or without the field is an error', () => {
    expect(errorOf('{ a: super.b }')).toBe('runtime 1:6-13 Attempt to use super when there is no super class.');
    expect(errorOf('{} { a: super.b }')).toBe('runtime 1:9-16 Field does not exist: b');
  });

  it('has to stand in an object, with a field', () => {
    expect(errorOf('super.a')).toBe("static 1:1-8 Can't use super outside of an object.");
    expect(errorOf('{ a: super }')).toBe('static 1:6-11 Expected . or [ after super');
  });
});
