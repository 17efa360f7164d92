import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source, { extVars: { event: { a: 1, b: 2 } } }).evaluate();

describe('std.objectRemoveKey', () => {
  it('gives the object without the field', () => {
    expect(json('std.objectRemoveKey({ a: 1, b: 2 }, "a")')).toBe('{"b":2}');
    expect(json('std.objectRemoveKey(std.extVar("event"), "b")')).toBe('{"a":1}');
    expect(json('std.objectRemoveKey(std.objectRemoveKey({ a: 1, b: 2, c: 3 }, "a"), "b")')).toBe('{"c":3}');
  });

  it('gives the object as it is when there is no such field', () => {
    expect(json('std.objectRemoveKey({ a: 1 }, "b")')).toBe('{"a":1}');
  });

  it('takes the field away for every way of looking', () => {
    expect(
      json(`local o = std.objectRemoveKey({ a: 1, b:: 2 }, "a");
        [std.objectHasAll(o, "a"), "a" in o, std.length(o), std.objectFieldsAll(o), o == {}]`),
    ).toBe('[false,false,0,["b"],true]');
    expect(() => json('std.objectRemoveKey({ a: 1 }, "a").a')).toThrow('Field does not exist: a');
    expect(() => json('std.objectRemoveKey({ a: 1, b: self.a }, "a")')).toThrow('Field does not exist: a');
  });

  it('keeps hidden fields hidden, other fields late and self bound late', () => {
    expect(json('std.objectFieldsAll(std.objectRemoveKey({ a: 1, b:: 2, c: 3 }, "a"))')).toBe('["b","c"]');
    expect(json('std.objectRemoveKey({ a: 1, b: error "late", c: 2 }, "a").c')).toBe('2');
    expect(json('std.objectRemoveKey({ a: 1, b: self.c, c: 2 }, "a") + { c: 3 }')).toBe('{"b":3,"c":3}');
  });

  it('lets super within the object see the field', () => {
    expect(json('std.objectRemoveKey({ a: 1 } + { b: super.a }, "a")')).toBe('{"b":1}');
  });

  it('lets the field come back with +, as a fresh one', () => {
    expect(json('std.objectRemoveKey({ a: 1 }, "a") + { a+: 2 }')).toBe('{"a":2}');
    expect(json('std.objectRemoveKey({ a:: 1 }, "a") + { a: 2 }')).toBe('{"a":2}');
  });

  it('takes nothing away from an object that it is put on', () => {
    expect(json('{ a: 1 } + std.objectRemoveKey({ a: 2, b: 2 }, "a")')).toBe('{"a":1,"b":2}');
    expect(json('{ a: 1 } + std.objectRemoveKey({ a: 2 }, "a") + { a+: 5 }')).toBe('{"a":6}');
    expect(json('std.objectFieldsAll({ a:: 1 } + std.objectRemoveKey({ a: 2 }, "a"))')).toBe('["a"]');
    expect(json('{ a:: 1 } + std.objectRemoveKey({ a: 2 }, "a")')).toBe('{}');
  });

  it('does the same for objects of many layers', () => {
    const many = '{ a: 1 } + { b: 1 } + { c: 1 } + { d: 1 } + { e: 1 } + { f: 1 } + { g: self.f }';
    expect(json(`std.objectRemoveKey(${many}, "a")`)).toBe('{"b":1,"c":1,"d":1,"e":1,"f":1,"g":1}');
    expect(json(`({ a: 0 } + std.objectRemoveKey(${many}, "a")).a`)).toBe('0');
    expect(json(`std.objectHas({ a:: 0 } + std.objectRemoveKey(${many}, "a"), "a")`)).toBe('false');
  });

  it('keeps the asserts, which do not see the field either', () => {
    expect(() => json('std.objectRemoveKey({ a: 1, assert false : "kept" }, "a")')).toThrow('kept');
    expect(() => json('std.objectRemoveKey({ a: 1, assert self.a == 1 }, "a")')).toThrow('Field does not exist: a');
  });

  it('refuses other types', () => {
    expect(() => json('std.objectRemoveKey([1], "a")')).toThrow('argument "obj": Unexpected type array');
    expect(() => json('std.objectRemoveKey({}, 1)')).toThrow('argument "key": Unexpected type number');
  });
});
