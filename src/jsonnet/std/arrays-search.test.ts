import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.member', () => {
  it('tells whether an array has an equal element', () => {
    expect(json('[std.member([1, { a: 2 }], { a: 2 }), std.member([[1]], 1), std.member([], null)]')).toBe(
      '[true,false,false]',
    );
  });

  it('stops at the first equal element', () => {
    expect(json('std.member([1, error "late"], 1)')).toBe('true');
  });

  it('tells whether a string has another one in it', () => {
    expect(json('[std.member("template", "plat"), std.member("template", "x"), std.member("abc", "")]')).toBe(
      '[true,false,true]',
    );
  });

  it('refuses other types', () => {
    expect(() => json('std.member({}, 1)')).toThrow('argument "arr": Unexpected type object, expected array or string');
    expect(() => json('std.member("1", 1)')).toThrow('argument "x": Unexpected type number, expected string');
  });
});

describe('std.contains', () => {
  it('tells whether an array has an equal element, up to the first', () => {
    expect(json('[std.contains([1, 2, error "late"], 2), std.contains(["a"], "b")]')).toBe('[true,false]');
    expect(json('std.contains(arr=[null], elem=null)')).toBe('true');
  });

  it('refuses a string', () => {
    expect(() => json('std.contains("abc", "a")')).toThrow('Unexpected type string, expected array');
  });
});

describe('std.count', () => {
  it('counts equal elements', () => {
    expect(json('[std.count([1, 2, 1, "1", [1]], 1), std.count([], 1)]')).toBe('[2,0]');
  });

  it('does not compute what it looks for in nothing', () => {
    expect(json('std.count([], error "late")')).toBe('0');
  });
});

describe('std.find', () => {
  it('gives the indexes of equal elements', () => {
    expect(json('std.find("b", ["a", "b", "c", "b"])')).toBe('[1,3]');
    expect(json('std.find(value=0, arr=[])')).toBe('[]');
  });

  it('refuses a string to look in', () => {
    expect(() => json('std.find("a", "abc")')).toThrow('argument "arr": Unexpected type string, expected array');
  });
});

describe('std.remove and std.removeAt', () => {
  it('take out the first equal element', () => {
    expect(json('std.remove([1, 2, 1, 3], 1)')).toBe('[2,1,3]');
    expect(json('std.remove([1, 2], 5)')).toBe('[1,2]');
  });

  it('take out the element at an index', () => {
    expect(json('[std.removeAt(["a", "b", "c"], i) for i in [0, 1, 2]]')).toBe('[["b","c"],["a","c"],["a","b"]]');
    expect(json('std.removeAt(arr=[1], idx=0)')).toBe('[]');
  });

  it('leave the other elements late', () => {
    expect(json('std.length(std.removeAt([1, error "late"], 0))')).toBe('1');
    expect(json('std.length(std.remove([1, error "late"], 1))')).toBe('1');
  });

  it('take nothing out at an index where nothing is', () => {
    expect(json('[std.removeAt([1], 1), std.removeAt([1], -1)]')).toBe('[[1],[1]]');
  });

  it('refuse an index that is not whole', () => {
    expect(() => json('std.removeAt([1], 0.5)')).toThrow('Expected an integer, but got 0.5');
  });
});
