import { describe, expect, it } from 'vitest';
import { errorOf, valueOf } from '../../../test/support/evaluate-text.ts';

describe('std.asciiUpper and std.asciiLower', () => {
  it('change the letters of ASCII and no others', () => {
    expect(valueOf('[std.asciiUpper("100 Cats!"), std.asciiUpper("aéßz`{"), std.asciiUpper("")]')).toEqual([
      '100 CATS!',
      'AéßZ`{',
      '',
    ]);
    expect(valueOf('[std.asciiLower("100 Cats!"), std.asciiLower(str="AÉİZ@[")]')).toEqual(['100 cats!', 'aÉİz@[']);
  });

  it('refuse what is no string', () => {
    expect(errorOf('std.asciiUpper(1)')).toContain('std.asciiUpper: argument "str": Unexpected type number');
  });
});

describe('std.equalsIgnoreCase', () => {
  const equal = (pairs: readonly (readonly [string, string])[]): unknown =>
    valueOf(`[std.equalsIgnoreCase(p[0], p[1]) for p in ${JSON.stringify(pairs)}]`);

  it('compares without case', () => {
    expect(
      equal([
        ['Hello', 'hELLO'],
        ['Hello', 'Hallo'],
        ['a', 'ab'],
        ['@', '`'],
      ]),
    ).toEqual([true, false, false, false]);
    expect(valueOf('std.equalsIgnoreCase(str1="", str2="")')).toBe(true);
  });

  it('compares letters beyond ASCII one by one', () => {
    expect(
      equal([
        ['CAFÉ', 'café'],
        ['ς', 'Σ'],
        ['\u212a', 'k'],
        ['ß', 'ẞ'],
        ['ß', 'ss'],
        ['ı', 'I'],
        ['é', 'e'],
      ]),
    ).toEqual([true, true, true, true, false, false, false]);
  });
});
