import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

const json = (source: string): string => compile(source).evaluate();

describe('std.foldl and std.foldr', () => {
  it('go from the left with (running, element), from the right with (element, running)', () => {
    expect(json('std.foldl(function(all, x) "(%s%s)" % [all, x], ["a", "b"], "_")')).toBe('"((_a)b)"');
    expect(json('std.foldr(function(x, all) "(%s%s)" % [x, all], ["a", "b"], "_")')).toBe('"(a(b_))"');
  });

  it('go through the code points of a string', () => {
    expect(json('std.foldl(function(all, c) c + all, "a😀", "")')).toBe('"😀a"');
    expect(json('std.foldr(function(c, all) all + c, "a😀", "")')).toBe('"😀a"');
  });

  it('give the first value when there is no element', () => {
    expect(
      json('[std.foldl(function(a, b) error "called", [], 1), std.foldr(function(a, b) error "called", "", 2)]'),
    ).toBe('[1,2]');
  });

  it('leave an element late that the function does not use', () => {
    expect(json('std.foldl(function(count, x) count + 1, [error "late", error "late"], 0)')).toBe('2');
  });

  it('reach over many elements', () => {
    expect(json('std.foldl(function(a, b) a + b, std.range(1, 50000), 0)')).toBe('1250025000');
    expect(json('std.foldr(function(a, b) a + b, std.range(1, 50000), 0)')).toBe('1250025000');
  });

  it('refuse an object', () => {
    expect(() => json('std.foldl(function(a, b) a, {}, 0)')).toThrow('expected array or string');
  });
});

describe('std.sum and std.avg', () => {
  it('add numbers and give their mean', () => {
    expect(json('[std.sum([1, 2.5, -1]), std.sum([]), std.avg([1, 2, 6])]')).toBe('[2.5,0,3]');
  });

  it('refuse what is no number, a sum that is too large and the mean of nothing', () => {
    expect(() => json('std.sum([1, "2"])')).toThrow('Unexpected type string, expected number');
    expect(() => json('std.sum([1e308, 1e308])')).toThrow('Overflow');
    expect(() => json('std.avg([])')).toThrow('Cannot calculate average of an empty array.');
  });
});

describe('std.all and std.any', () => {
  it('tell whether all or any of the elements are true', () => {
    expect(json('[std.all([true, true]), std.all([true, false]), std.all([])]')).toBe('[true,false,true]');
    expect(json('[std.any([false, true]), std.any([false, false]), std.any([])]')).toBe('[true,false,false]');
  });

  it('stop at the first element that decides', () => {
    expect(json('[std.all([false, error "late"]), std.any([true, error "late"])]')).toBe('[false,true]');
  });

  it('refuse an element that is no boolean', () => {
    expect(() => json('std.all([true, 1])')).toThrow('std.all: element of "arr": Unexpected type number');
    expect(() => json('std.any([null])')).toThrow('std.any: element of "arr": Unexpected type null');
    expect(() => json('std.any("true")')).toThrow('Unexpected type string, expected array');
  });
});
