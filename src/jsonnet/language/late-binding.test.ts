import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

const compileText = (source: string): string => compile(source).evaluate();

describe('objects', () => {
  it('self is the whole object, in all its layers', () => {
    expect(valueOf('{ a: 1, b: self.a } + { a: 2 }')).toEqual({ a: 2, b: 2 });
    expect(valueOf('local o = { a: 1, b: self.a }; [o.b, (o + { a: 2 }).b, o.b]')).toEqual([1, 2, 1]);
    expect(valueOf('{ name: "A", hi: "I am " + self.name } { name: "B" } { name: "C" }.hi')).toBe('I am C');
  });

  it('self in an inner object is the inner one, $ the outermost', () => {
    expect(valueOf('{ x: 1, y: { x: 2, z: self.x, w: $.x, v: { z: $.x } } }')).toEqual({
      x: 1,
      y: { v: { z: 1 }, w: 1, x: 2, z: 2 },
    });
  });

  it('hidden fields are there but not shown; what a later layer says counts', () => {
    expect(valueOf('{ a:: 1, b: self.a }')).toEqual({ b: 1 });
    expect(valueOf('{ a:: 1 } + { a: 2 }')).toEqual({});
    expect(valueOf('{ a:: 1 } + { a::: 2 }')).toEqual({ a: 2 });
    expect(valueOf('{ a: 1 } + { a:: 2 }')).toEqual({});
    expect(valueOf('[{ a:: 1 } == {}, "a" in { a:: 1 }]')).toEqual([true, true]);
  });

  it('+: adds to the field below, or is the field when there is none', () => {
    expect(valueOf('{ a: { b: 1 } } + { a+: { c: 2 } }')).toEqual({ a: { b: 1, c: 2 } });
    expect(valueOf('{ a: [1] } { a+: [2] } { a+: [3] }')).toEqual({ a: [1, 2, 3] });
    expect(valueOf('{ a+: 1 }')).toEqual({ a: 1 });
    expect(valueOf('({ a: 1 } + { a+:: 2 }).a')).toBe(3);
    expect(valueOf('{ [k]: 1 for k in ["a"] } { ["a"]+: self.b, b: 5 }')).toEqual({ a: 6, b: 5 });
  });

  it('locals of an object see self and each other', () => {
    expect(valueOf('{ local x = self.a + y, local y = 1, a: 2, b: x }')).toEqual({ a: 2, b: 3 });
    expect(valueOf('{ local x = self.a, a: 1, b: x } + { a: 5 }')).toEqual({ a: 5, b: 5 });
    expect(valueOf('{ local f(n) = n * self.k, k: 3, r: f(2) }')).toEqual({ k: 3, r: 6 });
  });

  it('computed names are computed outside of the object; null leaves the field out', () => {
    expect(valueOf('local k = "a"; { [k + "b"]: 1, [null]: 2, [if false then "x"]: 3 }')).toEqual({ ab: 1 });
    expect(valueOf('{ n: "k", x: { [$.n]: self.y, y: 1 } }')).toEqual({ n: 'k', x: { k: 1, y: 1 } });
    expect(errorOf('{ [1]: 2 }')).toBe('runtime 1:4-5 Field name must be string, got number');
    expect(errorOf('{ ["a"]: 1, ["a"]: 2 }')).toBe('runtime 1:14-17 Duplicate field name: "a"');
    expect(errorOf('{ a: 1, [self.a]: 2 }')).toBe("static 1:10-14 Can't use self outside of an object.");
  });

  it('methods see self and may have defaults', () => {
    expect(valueOf('{ k: 2, f(x, y=x):: x * y * self.k, r: [self.f(3), self.f(3, 1)] }')).toEqual({ k: 2, r: [18, 6] });
  });

  it('fields named like members of JavaScript objects are ordinary fields', () => {
    const source = '{ __proto__: 1, constructor: self.__proto__ + 1, toString: 3, hasOwnProperty:: 4 }';
    expect(compileText(source)).toBe('{"__proto__":1,"constructor":2,"toString":3}');
    expect(errorOf('{}.constructor')).toBe('runtime 1:1-15 Field does not exist: constructor');
    expect(valueOf('["toString" in {}, "__proto__" in { __proto__: 1 }]')).toEqual([false, true]);
  });

  it('fields come sorted by code point', () => {
    expect(compileText('{ "\\ud83d\\ude00": 1, "\\uffee": 2, b: 3, B: 4, a10: 5, a9: 6, "10": 7, "9": 8 }')).toBe(
      '{"10":7,"9":8,"B":4,"a10":5,"a9":6,"b":3,"\uffee":2,"😀":1}',
    );
  });

  it('are equal when their visible fields are', () => {
    expect(valueOf('[{ a: 1, b: [2] } == { b: [2], a: 1.0 }, { a: 1 } == { a: 1, b: null }]')).toEqual([true, false]);
  });

  it('an object and a brace next to each other are added', () => {
    expect(valueOf('local o = { a: 1 }; o { a+: 1 } { b: 2 }.b')).toBe(2);
  });
});
