import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.stripChars, std.lstripChars, std.rstripChars', () => {
  it('strip the characters at the ends that they are for', () => {
    expect(valueOf('[f(" a b  ", " ") for f in [std.stripChars, std.lstripChars, std.rstripChars]]')).toEqual([
      'a b',
      'a b  ',
      ' a b',
    ]);
    expect(valueOf('std.stripChars(str="xyaxyx", chars="yx")')).toBe('a');
  });

  it('count code points', () => {
    expect(
      valueOf('[std.stripChars("😀a😀", "😀"), std.stripChars("😀a😁", "😁"), std.stripChars("éé", "é")]'),
    ).toEqual(['a', '😀a', '']);
  });

  it('take the characters from a long string or an array too', () => {
    expect(
      valueOf('[std.stripChars("abc", ["a", "c", "ab"]), std.stripChars("qaq", "0123456789abcdefghijklmnop")]'),
    ).toEqual(['b', 'qaq']);
    expect(valueOf('std.stripChars("", [error "no"])')).toBe('');
    expect(valueOf('std.stripChars(" a ", "")')).toBe(' a ');
  });

  it('refuse other arguments', () => {
    expect(errorOf('std.stripChars(1, "a")')).toContain('std.stripChars: argument "str": Unexpected type number');
    expect(errorOf('std.lstripChars("a", 1)')).toContain('expected string or array');
  });
});

describe('std.trim', () => {
  it('strips white space, that of Unicode too', () => {
    expect(valueOf(String.raw`std.trim(" \t\r\n\f\u000b\u0085\u00a0\u3000a b\u2003 ")`)).toBe('a b');
    expect(valueOf('[std.trim(""), std.trim("   "), std.trim(str="a")]')).toEqual(['', '', 'a']);
  });

  it('leaves what has no width but is no white space', () => {
    expect(valueOf(String.raw`std.trim("\ufeffa\u200b")`)).toBe('\ufeffa\u200b');
  });
});
