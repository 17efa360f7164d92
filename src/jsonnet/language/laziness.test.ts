import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('laziness', () => {
  it('locals may use each other in any order', () => {
    expect(valueOf('local a = b + 1, b = c + 1, c = 1; a')).toBe(3);
    expect(valueOf('local a = b, b = [c], c = 7; a')).toEqual([7]);
    expect(valueOf('local even(n) = n == 0 || odd(n - 1), odd(n) = n != 0 && even(n - 1); even(10)')).toBe(true);
  });

  it('what is not used does not fail', () => {
    expect(valueOf('local a = error "no"; 1')).toBe(1);
    expect(valueOf('(function(a, b=error "no") a)(1)')).toBe(1);
    expect(valueOf('local f(x) = 1; f(error "no")')).toBe(1);
    expect(valueOf('[error "no", 2][1]')).toBe(2);
    expect(valueOf('{ a: error "no", b: 2 }.b')).toBe(2);
    expect(valueOf('{ a:: error "no", b: 2 }')).toEqual({ b: 2 });
    expect(valueOf('{ local a = error "no", b: 2 }')).toEqual({ b: 2 });
    expect(valueOf('[x for x in [{ a: error "no", b: 1 }]][0].b')).toBe(1);
    expect(valueOf('if true then 1 else error "no"')).toBe(1);
    expect(valueOf('[false && error "no", true || error "no"]')).toEqual([false, true]);
  });

  it('a late value is computed once', () => {
    const doubled = Array.from({ length: 60 }, (_, index) => `local v${index + 1} = v${index} + v${index};`).join(' ');
    expect(valueOf(`local v0 = 1; ${doubled} v60`)).toBe(2 ** 60);
    const fields = Array.from({ length: 60 }, (_, index) => `v${index + 1}: self.v${index} + self.v${index}`).join(
      ', ',
    );
    expect(valueOf(`{ v0: 1, ${fields} }.v60`)).toBe(2 ** 60);
  });

  it('data may be endless as long as only a part is used', () => {
    expect(valueOf('local from(n) = { head: n, tail: from(n + 1) }; from(1).tail.tail.head')).toBe(3);
  });

  it('a value that needs itself is an error, not a hang', () => {
    expect(errorOf('local a = a; a')).toContain('limit 1:1-15 max stack frames exceeded');
    expect(errorOf('{ a: self.b, b: self.a }')).toContain('max stack frames exceeded');
  });

  it('defaults of parameters see the other parameters', () => {
    const f = 'local f(a, b=a + 1, c=b * 2) = [a, b, c];';
    expect(valueOf(`${f} [f(1), f(1, c=0), f(b=5, a=2)]`)).toEqual([
      [1, 2, 4],
      [1, 2, 0],
      [2, 5, 10],
    ]);
  });
});
