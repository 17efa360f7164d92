import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.prune', () => {
  it('takes nulls, empty arrays and empty objects out', () => {
    expect(json('std.prune([null, 1, [], {}, 2])')).toBe('[1,2]');
    expect(json('std.prune({ a: null, b: [], c: {}, d: 1 })')).toBe('{"d":1}');
  });

  it('takes out what pruning empties', () => {
    expect(json('std.prune({ a: [[], { b: null }], c: [[1, null]] })')).toBe('{"c":[[1]]}');
    expect(json('std.prune([[[[]]]])')).toBe('[]');
  });

  it('keeps other empty values', () => {
    expect(json('std.prune(["", 0, false])')).toBe('["",0,false]');
  });

  it('gives any other value as it is', () => {
    expect(json('[std.prune(null), std.prune(1), std.prune("a")]')).toBe('[null,1,"a"]');
  });

  it('leaves hidden fields out, and objects that have no others', () => {
    expect(json('std.objectFieldsAll(std.prune({ a:: 1, b: 2 }))')).toBe('["b"]');
    expect(json('std.prune([{ a:: 1 }])')).toBe('[]');
  });

  it('checks the asserts of an object that has fields', () => {
    expect(() => json('std.prune({ a: { b: 1, assert false : "checked" } })')).toThrow('checked');
  });

  it('ends with an error in an object that contains itself', () => {
    expect(() => json('local o = { a: o }; std.prune(o)')).toThrow('max stack frames exceeded');
  });

  it('names the limit that a value is above when all of it is written out', () => {
    const doubled = 'local double(a, n) = if n == 0 then a else double([a, a], n - 1); ';
    expect(() => json(`${doubled}std.prune(double([1], 30))`)).toThrow('limit steps exceeded');
  });
});
