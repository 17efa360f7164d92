import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('a field is visible', () => {
  it.each([
    ['{ a: 1 }', { a: 1 }],
    ['{ a:: 1 }', {}],
    ['{ a::: 1 }', { a: 1 }],
    ['{ a:: 1 } + { a: 2 }', {}],
    ['{ a:: 1 } + { a::: 2 }', { a: 2 }],
    ['{ a: 1 } + { a:: 2 }', {}],
    ['{ a: 1 } + { a:: 2 } + { a: 3 }', {}],
    ['{ a:: 1 } + { a::: 2 } + { a: 3 }', { a: 3 }],
    ['{ a::: 1 } + { a:: 3 }', {}],
    ['{ a:: 1 } + { a+: 2 }', {}],
    ['{ a:: 1 } + { a+::: 2 }', { a: 3 }],
    ['{ a: 1 } + { a+:: 2, b: self.a }', { b: 3 }],
    ['{ a:: 1 } + ({ a: 2 } + { a: 3 })', {}],
    ['{ a:: 1 } { b: 2 }', { b: 2 }],
    ['{ f(x):: x, b: self.f(2) }', { b: 2 }],
    ['{ a: { b:: 1 } } + { a+: { b: 2, c: 3 } }', { a: { c: 3 } }],
    ['{ a: { b:: 1 } } + { a: { b: 2, c: 3 } }', { a: { b: 2, c: 3 } }],
  ])('as %s says', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  it('or not, and is there in both cases', () => {
    expect(valueOf('local o = { a:: 1 }; [o.a, o["a"], "a" in o, std.objectHas(o, "a"), std.length(o)]')).toEqual([
      1,
      1,
      true,
      false,
      0,
    ]);
  });

  it('or not, and is computed when it is used', () => {
    expect(valueOf('{ a:: error "x", b: 1 }')).toEqual({ b: 1 });
  });
});

describe('+: adds to what is below', () => {
  it.each([
    ['{ a: 1 } + { a+: 1 }', { a: 2 }],
    ['{ a: "x" } + { a+: 1 }', { a: 'x1' }],
    ['{ a: [1] } + { a+: [2] }', { a: [1, 2] }],
    ['{ a+: 1 }', { a: 1 }],
    ['{ "a"+: 1, ["b"]+: 2, ["c"]+:: 3 }', { a: 1, b: 2 }],
    ['{ a+: { b+: { c: 1 } } } + { a+: { b+: { d: 2 } } }', { a: { b: { c: 1, d: 2 } } }],
    ['{ [k]: 1 for k in ["a"] } + { [k]+: 1 for k in ["a", "b"] }', { a: 2, b: 1 }],
    ['{ a: 1, b: self.a } + { a+: 1 }', { a: 2, b: 2 }],
  ])('%s', (source, value) => {
    expect(valueOf(source)).toEqual(value);
  });

  it('and refuses what + refuses', () => {
    expect(errorOf('{ a: { b: 1 } } + { a+: 1 }')).toContain('Unexpected type number, expected object');
    expect(errorOf('{ f(x)+: x }')).toContain('Cannot use +: syntax sugar in a method: f');
  });
});

describe('names', () => {
  it('like the members of the prototype of JavaScript are names as any other', () => {
    const names = ['__proto__', 'constructor', 'hasOwnProperty', 'toString', 'valueOf'];
    for (const name of names) {
      expect(errorOf(`{}.${name}`)).toBe(`runtime 1:1-${4 + name.length} Field does not exist: ${name}`);
      expect(valueOf(`["${name}" in {}, std.objectHas({}, "${name}"), std.get({}, "${name}", 5)]`)).toEqual([
        false,
        false,
        5,
      ]);
      expect(valueOf(`({ ${name}: 1 } + { ${name}+: 1 }).${name}`)).toBe(2);
      expect(valueOf(`std.objectFields({ [k]: 1 for k in ["${name}", "b"] })`)).toContain(name);
      expect(valueOf(`std.parseJson('{"${name}": {"x": 1}}').${name}.x`)).toBe(1);
      expect(valueOf(`std.objectFields(std.mergePatch({ ${name}: 1, b: 2 }, { ${name}: null }))`)).toEqual(['b']);
      expect(valueOf(`std.manifestJsonMinified({ ${name}: 1 })`)).toBe(`{"${name}":1}`);
    }
  });

  it('are put in order by code point', () => {
    expect(
      valueOf(String.raw`std.objectFields({ "😀": 1, "\uffff": 2, z: 3, "é": 4, A: 5, "10": 6, "9": 7 })`),
    ).toEqual(['10', '9', 'A', 'z', 'é', '\uffff', '😀']);
  });

  it('that are computed are texts, or null for no field', () => {
    expect(valueOf('{ ["a" + "b"]: 1, [null]: 2, [if false then "c"]: 3 }')).toEqual({ ab: 1 });
    expect(errorOf('{ [1]: 2 }')).toBe('runtime 1:4-5 Field name must be string, got number');
    expect(errorOf('{ ["a"]: 1, a: 2 }')).toContain('Duplicate field name: "a"');
    expect(errorOf('{ [k]: 1 for k in ["a", "a"] }')).toContain('Duplicate field name: "a"');
    expect(errorOf('{ a: "x", [self.a]: 1 }')).toContain("Can't use self outside of an object");
  });
});
