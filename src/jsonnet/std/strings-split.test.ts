import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.split', () => {
  it('cuts at each separator', () => {
    expect(
      valueOf('[std.split("a,b,,c", ","), std.split(",a,", ","), std.split("abc", ","), std.split("", ",")]'),
    ).toEqual([['a', 'b', '', 'c'], ['', 'a', ''], ['abc'], ['']]);
  });

  it('takes separators of more than one character', () => {
    expect(valueOf('[std.split("a::b::c", "::"), std.split("aaa", "aa"), std.split(str="x😀y", c="😀")]')).toEqual([
      ['a', 'b', 'c'],
      ['', 'a'],
      ['x', 'y'],
    ]);
    const long = '='.repeat(30);
    expect(valueOf(`std.split("a${long}b", "${long}")`)).toEqual(['a', 'b']);
  });

  it('refuses an empty separator', () => {
    expect(errorOf('std.split("a", "")')).toContain('std.split second parameter must have length 1 or greater, got 0');
    expect(errorOf('std.split(1, ",")')).toContain('std.split: argument "str": Unexpected type number');
  });
});

describe('std.splitLimit', () => {
  it('cuts at the first separators', () => {
    expect(valueOf('[std.splitLimit("a,b,c", ",", n) for n in [-1, 0, 1, 2, 9]]')).toEqual([
      ['a', 'b', 'c'],
      ['a,b,c'],
      ['a', 'b,c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  it('refuses other limits', () => {
    expect(errorOf('std.splitLimit("a", ",", -2)')).toContain(
      'std.splitLimit third parameter should be -1 or non-negative, got -2',
    );
    expect(errorOf('std.splitLimit("a", ",", 0.5)')).toContain('Expected an integer, but got 0.5');
    expect(errorOf('std.splitLimit("a", "", 1)')).toContain('std.splitLimit second parameter must have length 1');
    expect(errorOf('std.splitLimit("a", ",", "1")')).toContain('argument "maxsplits": Unexpected type string');
  });
});

describe('std.splitLimitR', () => {
  it('cuts at the last separators', () => {
    expect(
      valueOf('[std.splitLimitR("/foo/_bar/qux", "/_", 1), std.splitLimitR("a/b/c/d", "/", maxsplits=1)]'),
    ).toEqual([
      ['/foo', 'bar/qux'],
      ['a/b/c', 'd'],
    ]);
    expect(valueOf('[std.splitLimitR("a,b,c", ",", n) for n in [-1, 0, 2, 9]]')).toEqual([
      ['a', 'b', 'c'],
      ['a,b,c'],
      ['a', 'b', 'c'],
      ['a', 'b', 'c'],
    ]);
  });

  it('takes separators from the right', () => {
    expect(valueOf('[std.splitLimitR("aaa", "aa", 1), std.splitLimitR("aaaaa", "aa", -1)]')).toEqual([
      ['a', ''],
      ['a', '', ''],
    ]);
  });

  it('refuses other limits', () => {
    expect(errorOf('std.splitLimitR("a", ",", -2)')).toContain(
      'std.splitLimitR third parameter should be -1 or non-negative, got -2',
    );
  });
});
