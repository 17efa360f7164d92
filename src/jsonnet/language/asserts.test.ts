import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('asserts', () => {
  it('before an expression are checked first', () => {
    expect(valueOf('assert 1 == 1; assert true : "m"; 2')).toBe(2);
    expect(errorOf('assert 1 == 2; 3')).toBe('runtime 1:8-14 Assertion failed');
    expect(errorOf('assert false : "it is " + 5; 3')).toBe('runtime 1:8-28 it is 5');
    expect(errorOf('assert 1; 3')).toBe('runtime 1:8-9 Unexpected type number, expected boolean');
  });

  it('of an object are checked when it is used, with the whole object as self', () => {
    const o = '{ assert self.a > 0 : "a is " + self.a, a: -1, b:: 5 }';
    expect(errorOf(o)).toBe('runtime 1:10-39 a is -1');
    expect(errorOf(`${o}.b`)).toContain('a is -1');
    expect(errorOf(`${o} == { a: -1 }`)).toContain('a is -1');
    expect(valueOf(`${o} + { a: 1 }`)).toEqual({ a: 1 });
    expect(errorOf('{ assert self.a > 0, a: 1 } + { a: 0 }')).toContain('Object assertion failed.');
  });

  it('of an object that is not used are not checked', () => {
    expect(valueOf('local o = { assert false }; 1')).toBe(1);
    expect(valueOf('{ a:: { assert false }, b: 1 }')).toEqual({ b: 1 });
  });

  it('may read the fields of the object that they check', () => {
    expect(valueOf('{ assert self.a == self.b, a: 1, b: self.a }')).toEqual({ a: 1, b: 1 });
  });

  it('of all layers count', () => {
    expect(errorOf('{ assert false : "low" } + {}')).toContain('low');
    expect(errorOf('{} + { assert false : "up" }')).toContain('up');
  });
});
