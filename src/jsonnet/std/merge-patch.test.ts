import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.mergePatch', () => {
  it('puts fields in, replaces them and goes on in objects', () => {
    expect(json('std.mergePatch({ a: 1, b: { c: 2, d: 3 } }, { b: { c: 4, e: 5 }, f: 6 })')).toBe(
      '{"a":1,"b":{"c":4,"d":3,"e":5},"f":6}',
    );
  });

  it('takes fields away that are null in the patch, at any depth', () => {
    expect(json('std.mergePatch({ a: 1, b: { c: 2, d: 3 } }, { a: null, b: { c: null }, z: null })')).toBe(
      '{"b":{"d":3}}',
    );
    expect(json('std.mergePatch({}, { a: { b: null, c: { d: null } } })')).toBe('{"a":{"c":{}}}');
  });

  it('keeps nulls of the target that the patch does not name', () => {
    expect(json('std.mergePatch({ a: null }, { b: 1 })')).toBe('{"a":null,"b":1}');
  });

  it('replaces by a patch that is no object, arrays included', () => {
    expect(json('[std.mergePatch({ a: 1 }, [1, null]), std.mergePatch({ a: 1 }, null)]')).toBe('[[1,null],null]');
    expect(json('std.mergePatch({ a: [1, 2] }, { a: [3] })')).toBe('{"a":[3]}');
  });

  it('takes a target that is no object for an empty one', () => {
    expect(json('std.mergePatch([1], { a: 1 })')).toBe('{"a":1}');
    expect(json('std.mergePatch({ a: 1 }, { a: { b: 2 } })')).toBe('{"a":{"b":2}}');
  });

  it('leaves hidden fields of both out', () => {
    expect(json('std.objectFieldsAll(std.mergePatch({ a:: 1, b: 1 }, { c:: 1 }))')).toBe('["b"]');
    expect(json('std.mergePatch({ a:: { hidden: 1 } }, { a: { b: 1 } })')).toBe('{"a":{"b":1}}');
  });

  it('does not compute fields of the target that are not used', () => {
    expect(json('std.mergePatch({ a: error "late" }, { b: 1 }).b')).toBe('1');
    expect(json('std.mergePatch({ a: error "late" }, { a: 1 })')).toBe('{"a":1}');
    expect(json('std.mergePatch(error "late", 1)')).toBe('1');
  });

  it('ends with an error in an object that contains itself', () => {
    expect(() => json('local o = { a: o }; std.mergePatch({}, o)')).toThrow('max stack frames exceeded');
  });
});
