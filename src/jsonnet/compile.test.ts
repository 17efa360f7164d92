import { describe, expect, it } from 'vitest';
import { compile } from './compile.ts';
import type { Native } from './native.ts';
import { errorOf, valueOf } from '../../test/support/evaluate-text.ts';

const greet: Native = {
  parameters: ['name', 'mark?'],
  run: ([name, mark], context, evaluation) => {
    if (typeof name !== 'string') throw evaluation.error('greet needs a name');
    return `${String(context)} ${name}${typeof mark === 'string' ? mark : ''}`;
  },
};

describe('compile', () => {
  it('gives a template that evaluates to compact JSON', () => {
    expect(compile('{ b: [1, { c: null }], a: "x" + 1, e: {}, f: [], t: true }').evaluate()).toBe(
      '{"a":"x1","b":[1,{"c":null}],"e":{},"f":[],"t":true}',
    );
  });

  it('writes text as JSON, whatever is in it', () => {
    const text = 'a"\\\n\u0001\u007f\u2028é😀';
    expect(JSON.parse(compile(JSON.stringify(text)).evaluate())).toBe(text);
  });

  it('keeps nothing from one evaluation to the next', () => {
    const template = compile('local a = { n: ctx(), m: self.n }; [a.n, a.m, a { n: 0 }]', {
      natives: { ctx: { parameters: [], run: (_args, context) => Number(context) } },
    });
    expect([1, 2, 1].map((context) => template.evaluate(context))).toEqual([
      '[1,1,{"m":0,"n":0}]',
      '[2,2,{"m":0,"n":0}]',
      '[1,1,{"m":0,"n":0}]',
    ]);
  });
});

describe('natives', () => {
  const natives = { greet };

  it('are names of the template and found by std.native', () => {
    const source = '[greet("a"), greet("b", mark="!"), std.native("greet")("c"), [f("d") for f in [greet]][0]]';
    expect(JSON.parse(compile(source, { natives }).evaluate('hi'))).toEqual(['hi a', 'hi b!', 'hi c', 'hi d']);
    expect(valueOf('std.native("nope")')).toBeNull();
  });

  it('are hidden by variables of the same name', () => {
    expect(compile('local greet(x) = x; greet("a")', { natives }).evaluate('hi')).toBe('"a"');
  });

  it('fail at the place of the call', () => {
    expect(errorOf('{ a: greet(5) }', { natives })).toBe('runtime 1:6-14 greet needs a name');
    expect(errorOf('greet("a")')).toBe('static 1:1-6 Unknown variable: greet');
  });

  it.each([
    ['greet()', 'Missing argument: name'],
    ['greet("a", "b", "c")', 'function expected 2 positional argument(s), but got 3'],
    ['greet("a", nope=1)', 'function has no parameter nope'],
    ['greet("a", name="b")', 'Argument name already provided'],
  ])('whose arguments do not fit are refused when the template is compiled: %s', (call, message) => {
    expect(errorOf(`if false then 1 else [${call}]`, { natives })).toMatch(/^static 1:23-\d+ greet: /);
    expect(errorOf(call, { natives })).toContain(message);
    expect(errorOf(call.replace('greet', 'std.native("greet")'), { natives })).toMatch(/^runtime /);
  });

  it('with literal arguments are prepared once', () => {
    let prepared = 0;
    const path: Native = {
      parameters: ['path', 'default?'],
      run: () => 'run',
      specialize: ([path]) => {
        prepared++;
        return (context) => `${typeof path} of ${String(context)}`;
      },
    };
    const template = compile('[path("a.b"), path("a" + "b")]', { natives: { path } });
    expect([template.evaluate('x'), template.evaluate('y')]).toEqual([
      '["string of x","run"]',
      '["string of y","run"]',
    ]);
    expect(prepared).toBe(1);
  });

  it('may give what JSON.parse made, which stays as it is', () => {
    const event = JSON.parse('{"a":{"__proto__":1,"b":[1,2]},"constructor":"c"}') as object;
    const body: Native = { parameters: [], run: (_args, context) => context as never };
    const source =
      '{ a: body().a, b: body().a.b[1], c: body().constructor, d: body() + { a: 1 }, e: "toString" in body() }';
    expect(compile(source, { natives: { body } }).evaluate(event)).toBe(
      '{"a":{"__proto__":1,"b":[1,2]},"b":2,"c":"c","d":{"a":1,"constructor":"c"},"e":false}',
    );
    expect(() => compile('body().toString', { natives: { body } }).evaluate(event)).toThrow(
      'Field does not exist: toString',
    );
  });
});

describe('external variables', () => {
  it('are only those that were given', () => {
    expect(valueOf('std.extVar("x")', { extVars: { x: { a: [1] } } })).toEqual({ a: [1] });
    expect(errorOf('std.extVar("constructor")', { extVars: {} })).toContain('Undefined external variable: constructor');
  });
});

describe('std', () => {
  it('is an object of hidden fields that may be added to and hidden by a variable', () => {
    expect(valueOf('std')).toEqual({});
    expect(valueOf('(std + { type(x): "mine" }).type(1)')).toBe('mine');
    expect(valueOf('local std = { type(x): "mine" }; std.type(1)')).toBe('mine');
    expect(valueOf('local s = std; [s.type(1), [f(null) for f in [std.type]]]')).toEqual(['number', ['null']]);
    expect(errorOf('std.nope(1)')).toBe('runtime 1:1-9 Field does not exist: nope');
  });
});

describe('places of runtime errors', () => {
  it('are those of the innermost expression', () => {
    expect(errorOf('local f(x) =\n  x + [];\n{ a: f(true) }')).toBe('runtime 2:3-9 Unexpected type boolean');
    expect(errorOf('[\n  1,\n  { a: 1 }.b,\n]')).toBe('runtime 3:3-13 Field does not exist: b');
    expect(errorOf('std.length(\n  error "x"\n)')).toBe('runtime 2:3-12 x');
    expect(errorOf('std.type(1 +\n  {})')).toBe('runtime (1:10)-(2:5) Unexpected type object, expected number');
    expect(errorOf('error { a: 1 }')).toBe('runtime 1:1-15 {"a": 1}');
  });
});

describe('operators', () => {
  it('refuse what they cannot work on', () => {
    expect(errorOf('1 + null')).toContain('Unexpected type null, expected number');
    expect(errorOf('{} + 1')).toContain('Unexpected type number, expected object');
    expect(errorOf('[] + 1')).toContain('Unexpected type number, expected array');
    expect(errorOf('1 < "a"')).toContain('Unexpected type string, expected number');
    expect(errorOf('{} < {}')).toContain('Unexpected type object');
    expect(errorOf('!1')).toContain('Unexpected type number, expected boolean');
    expect(errorOf('1 in {}')).toContain('Unexpected type number, expected string');
    expect(errorOf('"a" in []')).toContain('Unexpected type array, expected object');
    expect(errorOf('true && 1')).toContain('Unexpected type number, expected boolean');
    expect(errorOf('(function() 1) == (function() 1)')).toContain('Cannot test equality of functions');
  });

  it('refuse what is no number', () => {
    expect(errorOf('1 / 0')).toBe('runtime 1:1-6 Division by zero.');
    expect(errorOf('1 % 0')).toContain('Division by zero.');
    expect(errorOf('1e308 * 10')).toContain('Overflow');
    expect(errorOf('1e300 & 1')).toContain('outside of range');
    expect(errorOf('1 << -1')).toContain('Shift by negative exponent.');
  });

  it('on bits work on 64-bit integers', () => {
    expect(
      valueOf('[~5, 5 & 3, 5 | 3, 5 ^ 3, 1 << 40, -16 >> 2, 1 << 62, 9007199254740991 & 4294967296, ~1.5]'),
    ).toEqual([-6, 1, 7, 6, 2 ** 40, -4, 2 ** 62, 4_294_967_296, -2]);
  });

  it('compare numbers, strings by code point, and arrays', () => {
    expect(valueOf('[1 < 2, "a" < "b", "\\uffee" < "😀", [1, 2] < [1, 3], [1] < [1, 0], "b" >= "a", 2 <= 1]')).toEqual([
      true,
      true,
      true,
      true,
      true,
      true,
      false,
    ]);
    expect(valueOf('[1 == 1.0, "a" == 1, [1, { a: 2 }] == [1, { a: 2 }], null == false, -0 == 0]')).toEqual([
      true,
      false,
      true,
      false,
      true,
    ]);
  });

  it('+ makes text of the other side of a string', () => {
    expect(valueOf('"a" + 1 + 1.5 + null + true + [1, "x"] + { a: {}, b: [] } + -0')).toBe(
      'a11.5nulltrue[1, "x"]{"a": { }, "b": [ ]}-0',
    );
    expect(valueOf('1 + "a"')).toBe('1a');
  });
});

describe('messages', () => {
  it('that a template makes are cut', () => {
    expect(errorOf('error std.repeat("x", 100000)').length).toBeLessThan(5000);
  });
});
