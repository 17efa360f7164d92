import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.char', () => {
  it('gives the string of one code point', () => {
    expect(valueOf('[std.char(65), std.char(n=233), std.char(128512), std.char(97.9)]')).toEqual(['A', 'é', '😀', 'a']);
  });

  it('gives U+FFFD for half of a surrogate pair', () => {
    expect(valueOf('[std.char(55296), std.char(57343)]')).toEqual(['\ufffd', '\ufffd']);
  });

  it('refuses what is no code point', () => {
    expect(errorOf('std.char(-1)')).toContain('Codepoints must be >= 0, got -1');
    expect(errorOf('std.char(1114112)')).toContain('Invalid unicode codepoint, got 1114112');
    expect(errorOf('std.char("a")')).toContain('std.char: argument "n": Unexpected type string, expected number');
  });
});

describe('std.codepoint', () => {
  it('is the inverse of std.char', () => {
    expect(valueOf('[std.codepoint(std.char(c)) for c in [0, 65, 233, 65535, 128512]]')).toEqual([
      0, 65, 233, 65535, 128512,
    ]);
  });

  it('refuses strings of another length', () => {
    expect(errorOf('std.codepoint("")')).toContain('codepoint takes a string of length 1, got length 0');
    expect(errorOf('std.codepoint("a😀")')).toContain('got length 2');
  });
});

describe('std.stringChars', () => {
  it('gives an array of code points', () => {
    expect(valueOf('[std.stringChars("aé😀"), std.stringChars("")]')).toEqual([['a', 'é', '😀'], []]);
  });

  it('stays within the length of an array', () => {
    expect(valueOf('std.length(std.stringChars(std.repeat("😀", 510000)))')).toBe(510_000);
    expect(errorOf('local a = std.repeat("a", 500000); std.length(std.stringChars(a + a + "b"))')).toMatch(
      /^limit .*arrayLength/,
    );
  });
});

describe('std.substr', () => {
  it('counts code points', () => {
    expect(valueOf('[std.substr("hello", 1, 3), std.substr("a😀é", 1, 1), std.substr("a😀é", 2, 9)]')).toEqual([
      'ell',
      '😀',
      'é',
    ]);
    expect(valueOf('std.substr(len=2, from=0, str="abc")')).toBe('ab');
  });

  it('gives what is there when the end is outside', () => {
    expect(
      valueOf('[std.substr("abc", 2, 5), std.substr("abc", 3, 1), std.substr("abc", 9, 1), std.substr("", 0, 0)]'),
    ).toEqual(['c', '', '', '']);
  });

  it('refuses numbers that are no place', () => {
    expect(errorOf('std.substr("a", -1, 1)')).toContain('substr second parameter should be greater than zero, got -1');
    expect(errorOf('std.substr("a", 0.5, 1)')).toContain('substr second parameter should be an integer, got 0.5');
    expect(errorOf('std.substr("a", 0, -1)')).toContain('substr third parameter should be greater than zero, got -1');
    expect(errorOf('std.substr("a", 0, 0.5)')).toContain('substr third parameter should be an integer, got 0.5');
    expect(errorOf('std.substr(1, 0, 1)')).toContain('std.substr: argument "str": Unexpected type number');
  });
});
