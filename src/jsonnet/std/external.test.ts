import { describe, expect, it } from 'vitest';
import type { NativeArguments } from '../native.ts';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';
import type { Value } from '../values/value.ts';

describe('std.extVar', () => {
  it('gives the registered value', () => {
    const extVars = { stage: 'prod', sizes: [1, 2], 'a.b': { c: null } };
    expect(valueOf('[std.extVar("stage"), std.extVar(x="sizes")[1], std.extVar("a.b")]', { extVars })).toEqual([
      'prod',
      2,
      { c: null },
    ]);
  });

  it('refuses other names, those of the prototype too', () => {
    expect(errorOf('std.extVar("stage")')).toContain('Undefined external variable: stage');
    expect(errorOf('std.extVar("constructor")', { extVars: {} })).toContain('Undefined external variable: constructor');
    expect(errorOf('std.extVar(1)')).toContain('std.extVar: argument "x": Unexpected type number, expected string');
  });
});

describe('std.native', () => {
  it('gives the registered function, to be called by position and by name', () => {
    const natives = {
      Pair: { parameters: ['a', 'b?'], run: ([a, b]: NativeArguments): Value => [a ?? null, b ?? 'none'] },
    };
    expect(valueOf('local f = std.native("Pair"); [f(1), f(b=2, a=3), std.type(f)]', { natives })).toEqual([
      [1, 'none'],
      [3, 2],
      'function',
    ]);
  });

  it('is null for a name that is not registered', () => {
    expect(valueOf('[std.native("x"), std.native(x="toString")]')).toEqual([null, null]);
  });
});

describe('std.thisFile', () => {
  it('is the name that the template was compiled with', () => {
    expect(valueOf('std.thisFile', { fileName: 'a/b.jsonnet' })).toBe('a/b.jsonnet');
  });
});
