import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();
const byName = 'local name(x) = x.n; ';

describe('std.set', () => {
  it('sorts and drops duplicates', () => {
    expect(json('std.set([3, 1, 3, 2, 1])')).toBe('[1,2,3]');
    expect(json('std.set(["b", "a", "b"])')).toBe('["a","b"]');
    expect(json('std.set([])')).toBe('[]');
  });

  it('compares by the key that keyF gives and keeps the first of equal ones', () => {
    expect(json(`${byName}std.set([{ n: 2, v: 1 }, { n: 1 }, { n: 2, v: 2 }], name)`)).toBe('[{"n":1},{"n":2,"v":1}]');
  });

  it('refuses elements that cannot be compared', () => {
    expect(() => json('std.set([true, false])')).toThrow('Unexpected type boolean');
  });
});

describe('std.setUnion, std.setInter and std.setDiff', () => {
  it('give what is in either, in both, in the first only', () => {
    expect(json('std.setUnion([1, 3], [2, 3, 4])')).toBe('[1,2,3,4]');
    expect(json('std.setInter([1, 2, 3], [0, 2, 3, 4])')).toBe('[2,3]');
    expect(json('std.setDiff([1, 2, 3], [2])')).toBe('[1,3]');
  });

  it('take empty sets', () => {
    expect(json('[std.setUnion([], [1]), std.setInter([1], []), std.setDiff([1], []), std.setDiff([], [1])]')).toBe(
      '[[1],[],[1],[]]',
    );
  });

  it('compare by the key that keyF gives and keep the elements of the first set', () => {
    const [a, b] = ['[{ n: "a", v: 1 }, { n: "c", v: 1 }]', '[{ n: "b", v: 2 }, { n: "c", v: 2 }]'];
    expect(json(`${byName}[x.v for x in std.setUnion(${a}, ${b}, name)]`)).toBe('[1,2,1]');
    expect(json(`${byName}std.setInter(${a}, ${b}, keyF=name)`)).toBe('[{"n":"c","v":1}]');
    expect(json(`${byName}std.setDiff(${a}, ${b}, name)`)).toBe('[{"n":"a","v":1}]');
  });

  it('take equal elements without an order, and refuse different ones', () => {
    expect(json('std.setInter([true], [true])')).toBe('[true]');
    expect(() => json('std.setInter([true], [false])')).toThrow('Unexpected type boolean');
  });

  it('do not compute elements that they do not compare', () => {
    expect(json('std.length(std.setUnion([], [error "late"]))')).toBe('1');
    expect(json('std.setInter([1], [2, error "late"])')).toBe('[]');
  });

  it('refuse what is no array', () => {
    expect(() => json('std.setUnion({}, [1])')).toThrow('std.setUnion: argument "a": Unexpected type object');
    expect(() => json('std.setDiff([1], null)')).toThrow('std.setDiff: argument "b": Unexpected type null');
  });
});

describe('std.setMember', () => {
  it('tells whether a set has an element', () => {
    expect(json('[std.setMember(2, [1, 2, 3]), std.setMember(0, [1]), std.setMember("z", [])]')).toBe(
      '[true,false,false]',
    );
  });

  it('compares by the key that keyF gives', () => {
    expect(json(`${byName}std.setMember({ n: "b" }, [{ n: "a" }, { n: "b", v: 1 }], name)`)).toBe('true');
  });

  it('refuses an element that cannot be compared with those of the set', () => {
    expect(() => json('std.setMember("a", [1])')).toThrow(/Unexpected type/);
  });
});
