import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const extVars = { event: { b: 2, a: 1, toString: null, nested: { c: 3 } } };
const json = (source: string): string => compile(source, { extVars }).evaluate();
const event = 'std.extVar("event")';

describe('std.get', () => {
  it('gives a field, or null, or the default', () => {
    expect(json('[std.get({ a: 1 }, "a"), std.get({ a: 1 }, "b"), std.get({ a: 1 }, "b", 5)]')).toBe('[1,null,5]');
    expect(json(`[std.get(${event}, "a"), std.get(${event}, "z", "-")]`)).toBe('[1,"-"]');
  });

  it('does not take a member of the prototype for a field', () => {
    expect(json(`[std.get(${event}, "constructor"), std.get({}, "hasOwnProperty", 1)]`)).toBe('[null,1]');
    expect(json(`std.get(${event}, "toString", 1)`)).toBe('null');
  });

  it('sees hidden fields unless told otherwise', () => {
    expect(
      json('local o = { a:: 1 }; [std.get(o, "a"), std.get(o, "a", 0, false), std.get(o, "a", inc_hidden=false)]'),
    ).toBe('[1,0,null]');
  });

  it('computes the default when it is needed', () => {
    expect(json('std.get({ a: 1 }, "a", error "late")')).toBe('1');
    expect(() => json('std.get({}, "a", default=error "needed")')).toThrow('needed');
  });

  it('refuses other types', () => {
    expect(() => json('std.get([], "a")')).toThrow('std.get: argument "o": Unexpected type array, expected object');
    expect(() => json('std.get({}, 1)')).toThrow('std.get: argument "f": Unexpected type number, expected string');
  });
});

describe('std.objectHas, objectHasAll and objectHasEx', () => {
  it('tell whether there is a field, hidden ones counted only by All', () => {
    const has = (name: string): string =>
      json(`local o = { a: 1, b:: 2 }; [std.objectHas(o, "${name}"), std.objectHasAll(o, "${name}")]`);
    expect([has('a'), has('b'), has('c')]).toEqual(['[true,true]', '[false,true]', '[false,false]']);
    expect(json('[std.objectHasEx({ b:: 2 }, "b", hidden) for hidden in [true, false]]')).toBe('[true,false]');
  });

  it('neither compute the field nor check asserts', () => {
    expect(json('std.objectHas({ a: error "late", assert false }, "a")')).toBe('true');
  });

  it('read the event as it is', () => {
    expect(json(`[std.objectHas(${event}, "toString"), std.objectHas(${event}, "valueOf")]`)).toBe('[true,false]');
  });

  it('refuse other types', () => {
    expect(() => json('std.objectHas("a", "a")')).toThrow('Unexpected type string, expected object');
    expect(() => json('std.objectHasAll({}, null)')).toThrow('Unexpected type null, expected string');
  });
});

describe('std.objectFields, objectFieldsAll and objectFieldsEx', () => {
  it('give the names in the order of code points', () => {
    expect(json('std.objectFields({ b: 1, a: 1, "😀": 1, "\\uffee": 1, B: 1 })')).toBe('["B","a","b","\uffee","😀"]');
    expect(json(`std.objectFields(${event})`)).toBe('["a","b","nested","toString"]');
  });

  it('give hidden ones only when asked to', () => {
    expect(json('local o = { a:: 1, b: 2 }; [std.objectFields(o), std.objectFieldsAll(o)]')).toBe('[["b"],["a","b"]]');
    expect(json('[std.objectFieldsEx({ a:: 1 }, hidden) for hidden in [true, false]]')).toBe('[["a"],[]]');
  });

  it('follow the visibility through +', () => {
    expect(json('std.objectFields({ a:: 1, b: 1, c:: 1 } + { a: 2, b:: 2, c::: 2 })')).toBe('["c"]');
  });

  it('compute no field', () => {
    expect(json('std.objectFields({ a: error "late", assert false })')).toBe('["a"]');
  });
});

describe('std.objectValues and objectValuesAll', () => {
  it('give the values in the order of the names', () => {
    expect(json('local o = { b: 1, a: self.b + 1, c:: 3 }; [std.objectValues(o), std.objectValuesAll(o)]')).toBe(
      '[[2,1],[2,1,3]]',
    );
    expect(json(`std.objectValues(${event})`)).toBe('[1,2,{"c":3},null]');
  });

  it('give late values', () => {
    expect(json('std.objectValues({ a: error "late", b: 1 })[1]')).toBe('1');
  });
});

describe('std.objectKeysValues and objectKeysValuesAll', () => {
  it('give an object with key and value for each field', () => {
    expect(json('std.objectKeysValues({ b: 1, a:: 2 })')).toBe('[{"key":"b","value":1}]');
    expect(json('std.objectKeysValuesAll({ b: 1, a:: 2 })')).toBe('[{"key":"a","value":2},{"key":"b","value":1}]');
  });

  it('give late values', () => {
    expect(json('[pair.key for pair in std.objectKeysValues({ a: error "late" })]')).toBe('["a"]');
  });
});

describe('std.mapWithKey', () => {
  it('calls the function with name and value of each visible field', () => {
    expect(json('std.mapWithKey(function(k, v) k + v, { b: 1, a: 2, c:: 3 })')).toBe('{"a":"a2","b":"b1"}');
    expect(json(`std.mapWithKey(function(k, v) v, ${event}).nested.c`)).toBe('3');
  });

  it('computes a result when it is used', () => {
    expect(json('std.mapWithKey(function(k, v) if k == "a" then error "late" else v, { a: 1, b: 2 }).b')).toBe('2');
    expect(json('std.mapWithKey(function(k, v) k, { a: error "late" })')).toBe('{"a":"a"}');
  });

  it('refuses other types', () => {
    expect(() => json('std.mapWithKey(function(k, v) v, [1])')).toThrow('argument "obj": Unexpected type array');
  });
});
