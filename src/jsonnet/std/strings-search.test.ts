import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.startsWith and std.endsWith', () => {
  it('look at one end', () => {
    expect(valueOf('[std.startsWith("abc", b) for b in ["", "ab", "abc", "abcd", "bc"]]')).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(valueOf('[std.endsWith(a="abc", b=b) for b in ["", "bc", "abc", "xabc", "ab"]]')).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
  });

  it('refuse what is no string', () => {
    expect(errorOf('std.startsWith("a", 1)')).toContain('std.startsWith: argument "b": Unexpected type number');
    expect(errorOf('std.endsWith([], "a")')).toContain('std.endsWith: argument "a": Unexpected type array');
  });
});

describe('std.findSubstr', () => {
  it('gives all places, those that overlap too, in code points', () => {
    expect(valueOf('[std.findSubstr("aa", "aaaa"), std.findSubstr("é", "é😀é"), std.findSubstr("x", "abc")]')).toEqual([
      [0, 1, 2],
      [0, 2],
      [],
    ]);
  });

  it('finds nothing for an empty pattern or in an empty string', () => {
    expect(valueOf('[std.findSubstr(pat="", str="abc"), std.findSubstr("a", ""), std.findSubstr("", "")]')).toEqual([
      [],
      [],
      [],
    ]);
  });

  it('does not take the time of both lengths multiplied', () => {
    const text = 'local a = std.repeat("a", 1e6), half = std.repeat("a", 5e5);';
    expect(valueOf(`${text} std.length(std.findSubstr("b" + half, a))`)).toBe(0);
    expect(valueOf(`${text} std.length(std.findSubstr(half, a))`)).toBe(500_001);
  });

  it('refuses what is no string', () => {
    expect(errorOf('std.findSubstr(1, "a")')).toContain('std.findSubstr: argument "pat": Unexpected type number');
  });
});

describe('std.strReplace', () => {
  it('replaces all, from left to right', () => {
    expect(valueOf('std.strReplace("I like to skate with my skateboard", "skate", "surf")')).toBe(
      'I like to surf with my surfboard',
    );
    expect(
      valueOf('[std.strReplace("aaa", "aa", "b"), std.strReplace("aXbX", "X", ""), std.strReplace("", "a", "b")]'),
    ).toEqual(['ba', 'ab', '']);
  });

  it('does not look at what it has put in, and takes it as it is', () => {
    expect(
      valueOf('[std.strReplace("ab", "a", "aa"), std.strReplace("ab", "a", "$&$1"), std.strReplace("a.c", ".", "-")]'),
    ).toEqual(['aab', '$&$1b', 'a-c']);
  });

  it('replaces long texts', () => {
    const long = 'x'.repeat(40);
    expect(valueOf(`std.strReplace(str="a${long}b${long}", from="${long}", to="-")`)).toBe('a-b-');
  });

  it('refuses an empty pattern', () => {
    expect(errorOf('std.strReplace("a", "", "b")')).toContain("'from' string must not be zero length.");
  });

  it('stays within the length of a string', () => {
    expect(errorOf('std.strReplace(std.repeat("a", 1000), "a", std.repeat("b", 2000))')).toContain('textLength');
    const pattern = 'aaaaaaaaaaaaaaaaaaaa';
    expect(errorOf(`std.strReplace(std.repeat("a", 20000), "${pattern}", std.repeat("b", 2000))`)).toContain(
      'textLength',
    );
  });
});
