import { describe, expect, it } from 'vitest';
import { valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.manifestTomlEx', () => {
  it('writes values first, then sections, each after an empty line and indented by its depth', () => {
    expect(valueOf("std.manifestTomlEx({ t: { y: 'z', s: { x: true } }, a: 1 }, '  ')")).toBe(
      'a = 1\n\n[t]\n  y = "z"\n\n  [t.s]\n    x = true',
    );
  });

  it('writes an array of tables as a section for each', () => {
    expect(valueOf("std.manifestTomlEx({ t: [{ a: 1 }, {}, { b: [{ c: 2 }] }] }, '')")).toBe(
      '\n\n[[t]]\na = 1\n\n[[t]]\n\n[[t]]\n\n\n[[t.b]]\nc = 2',
    );
  });

  it('writes an array over lines, and all within an element in its line', () => {
    expect(valueOf("std.manifestTomlEx({ s: { a: [1, [2, 'x'], { k: [] }], e: [] } }, '  ')")).toBe(
      '\n\n[s]\n  a = [\n    1,\n    [ 2, "x" ],\n    { k = [] }\n  ]\n  e = []',
    );
  });

  it('writes an array of tables and other values as a value', () => {
    expect(valueOf("std.manifestTomlEx({ a: [{}, 1] }, '')")).toBe('a = [\n{  },\n1\n]');
  });

  it('quotes keys that may not stand bare, those of headers too', () => {
    expect(valueOf("std.manifestToml({ 'a b': { 'c.d': {}, 'e_F-1': 2 }, '': 3, 'é': 4 })")).toBe(
      '\'\' = 3\n"é" = 4\n\n["a b"]\n  e_F-1 = 2\n\n  ["a b"."c.d"]',
    );
  });

  it('refuses what TOML has not and says where it is', () => {
    expect(() => valueOf('std.manifestToml({ a: { b: [null] } })')).toThrow(
      'Tried to manifest "null" at ["a", "b", 0]',
    );
    expect(() => valueOf('std.manifestToml({ a: function(x) x })')).toThrow('Tried to manifest function at ["a"]');
    expect(() => valueOf('std.manifestToml([])')).toThrow('TOML body must be an object. Got array');
  });

  it('ends for a value without end, at the limit of depth', () => {
    expect(() => valueOf('local o = { o: o }; std.manifestToml(o)')).toThrow('max stack frames exceeded');
    expect(() => valueOf('local a = [a]; std.manifestToml({ a: a })')).toThrow('max stack frames exceeded');
  });
});
