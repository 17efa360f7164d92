import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.manifestJson', () => {
  it('indents by four spaces, and leaves an empty line in what is empty', () => {
    expect(valueOf("std.manifestJson({ b: [1, 'x'], a: { c: [], d: {} } })")).toBe(
      '{\n    "a": {\n        "c": [\n\n        ],\n        "d": {\n\n        }\n    },\n    "b": [\n        1,\n        "x"\n    ]\n}',
    );
  });

  it('writes keys by code point, without the hidden ones', () => {
    expect(valueOf(`std.manifestJsonMinified({ "\ue000": 1, "😀": 2, z: 3, h:: 4 })`)).toBe(
      '{"z":3,"\ue000":1,"😀":2}',
    );
  });

  it('writes scalars as JSON', () => {
    expect(valueOf('[std.manifestJson(v) for v in [null, true, false, 1.5, 1e-7, "q\\"\\\\\\u0001\\u007fé"]]')).toEqual(
      ['null', 'true', 'false', '1.5', '0.0000001', '"q\\"\\\\\\u0001\u007fé"'],
    );
  });

  it('escapes line separators, but no control character after ASCII', () => {
    expect(valueOf(String.raw`std.manifestJson({ "\u2028": "\u2029\u007f\u009f" })`)).toBe(
      '{\n    "\\u2028": "\\u2029\u007f\u009f"\n}',
    );
  });
});

describe('std.manifestJsonEx', () => {
  it('takes the indentation, the end of a line and what stands after a key', () => {
    expect(valueOf("std.manifestJsonEx({ a: [1, 2] }, '>')")).toBe('{\n>"a": [\n>>1,\n>>2\n>]\n}');
    expect(valueOf("std.manifestJsonEx(value={ a: [1, 2] }, indent='', newline=' ', key_val_sep='=')")).toBe(
      '{ "a"=[ 1, 2 ] }',
    );
  });

  it('refuses a function and says where it is', () => {
    expect(() => valueOf("std.manifestJsonEx({ a: [0, { b: function(x) x }] }, '')")).toThrow(
      'Tried to manifest function at ["a", 1, "b"]',
    );
  });

  it('refuses an indentation that is no string with the names of the function and the parameter', () => {
    expect(() => valueOf('std.manifestJsonEx({}, 4)')).toThrow('std.manifestJsonEx: argument "indent"');
  });

  it('checks the asserts of an object without fields', () => {
    expect(() => valueOf("std.manifestJson({ assert false : 'no' })")).toThrow('no');
  });

  it('ends for a value without end, at the limit of depth', () => {
    expect(() => valueOf('local o = { o: o }; std.manifestJson(o)')).toThrow('max stack frames exceeded');
  });

  it('ends for a text without end, at the limit of its length', () => {
    expect(() =>
      valueOf('local go(n, a) = if n == 0 then a else go(n - 1, [a, a]); std.manifestJson(go(40, 1))'),
    ).toThrow('limit textLength exceeded');
  });
});
