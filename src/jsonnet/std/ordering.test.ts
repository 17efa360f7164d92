import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.sort', () => {
  it('puts numbers, strings and arrays in order', () => {
    expect(json('std.sort([10, 9, -1, 2.5])')).toBe('[-1,2.5,9,10]');
    expect(json('std.sort(["b", "a", "B", ""])')).toBe('["","B","a","b"]');
    expect(json('std.sort([[1, 2], [1], [0, 9]])')).toBe('[[0,9],[1],[1,2]]');
  });

  it('orders strings by code point', () => {
    expect(json('std.sort(["😀", "\\uffee"])')).toBe('["\uffee","😀"]');
  });

  it('orders by the key that keyF gives and keeps the order of equal keys', () => {
    const rows = '[{ k: 2, n: "a" }, { k: 1, n: "b" }, { k: 2, n: "c" }, { k: 1, n: "d" }]';
    expect(json(`[row.n for row in std.sort(${rows}, function(row) row.k)]`)).toBe('["b","d","a","c"]');
    expect(json('std.sort([1, 3, 2], keyF=function(x) -x)')).toBe('[3,2,1]');
  });

  it('computes a key once for each element', () => {
    expect(json('std.sort([3, 1, 2], function(x) std.foldl(function(a, b) a + b, std.range(1, 10000), x))')).toBe(
      '[1,2,3]',
    );
  });

  it('leaves its argument as it is', () => {
    expect(json('local a = [2, 1]; [std.sort(a), a]')).toBe('[[1,2],[2,1]]');
  });

  it('takes one element of any type, and none', () => {
    expect(json('[std.sort([]), std.sort([null]), std.sort([{ a: 1 }])]')).toBe('[[],[null],[{"a":1}]]');
  });

  it('refuses elements that cannot be compared', () => {
    expect(() => json('std.sort([true, false])')).toThrow('Unexpected type boolean');
    expect(() => json('std.sort([null, null])')).toThrow('Unexpected type null');
    expect(() => json('std.sort([{}, {}])')).toThrow('Unexpected type object');
    expect(() => json('std.sort([1, "a"])')).toThrow(/Unexpected type (number|string), expected (number|string)/);
    expect(() => json('std.sort("ba")')).toThrow('argument "arr": Unexpected type string, expected array');
  });
});

describe('std.id', () => {
  it('gives its argument', () => {
    expect(json('[std.id(1), std.sort([2, 1], std.id)]')).toBe('[1,[1,2]]');
  });
});

describe('std.uniq', () => {
  it('drops elements that equal the one before', () => {
    expect(json('std.uniq([1, 1, 2, 2, 1])')).toBe('[1,2,1]');
    expect(json('std.uniq([null, null, { a: [] }, { a: [] }])')).toBe('[null,{"a":[]}]');
    expect(json('std.uniq("aab")')).toBe('["a","b"]');
  });

  it('compares by the key that keyF gives and keeps the first', () => {
    expect(json('std.uniq(["a", "A", "b"], function(x) std.asciiLower(x))')).toBe('["a","b"]');
  });

  it('does not compute a single element', () => {
    expect(json('std.length(std.uniq([error "late"]))')).toBe('1');
  });
});

describe('std.minArray and std.maxArray', () => {
  it('give the first and the last element in order', () => {
    expect(json('[std.minArray([3, 1, 2]), std.maxArray([3, 1, 2])]')).toBe('[1,3]');
    expect(json('[std.minArray(["b", "a"]), std.maxArray([[1], [1, 0]])]')).toBe('["a",[1,0]]');
  });

  it('compare by the key that keyF gives and keep the first of equal ones', () => {
    const rows = '[{ k: 1, n: "a" }, { k: 2, n: "b" }, { k: 1, n: "c" }, { k: 2, n: "d" }]';
    expect(json(`std.minArray(${rows}, function(row) row.k).n + std.maxArray(${rows}, function(row) row.k).n`)).toBe(
      '"ab"',
    );
  });

  it('give onEmpty for nothing, and compute it only then', () => {
    expect(json('[std.minArray([], onEmpty=0), std.maxArray([], onEmpty=null)]')).toBe('[0,null]');
    expect(json('std.minArray([1], onEmpty=error "late")')).toBe('1');
  });

  it('refuse nothing, and elements that cannot be compared', () => {
    expect(() => json('std.minArray([])')).toThrow('Expected at least one element in array. Got none');
    expect(() => json('std.maxArray([])')).toThrow('Expected at least one element in array. Got none');
    expect(() => json('std.minArray([true, false])')).toThrow('Unexpected type boolean');
  });
});
