import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePointAt, codePointLength, codePoints, codePointSlice } from './code-points.ts';
import { compareText } from './compare-text.ts';

const text = fc.string({ unit: 'binary', maxLength: 20 });
const mixed = fc
  .array(fc.constantFrom('a', 'é', '😀', '\uffee', '𝒳', 'z'), { maxLength: 12 })
  .map((parts) => parts.join(''));

describe('code points', () => {
  it('are what the iterator of a string gives', () => {
    fc.assert(
      fc.property(fc.oneof(text, mixed), fc.nat(14), fc.nat(14), (value, start, end) => {
        const all = Array.from(value);
        expect(codePoints(value)).toEqual(all);
        expect(codePointLength(value)).toBe(all.length);
        expect(codePointAt(value, start)).toBe(all[start]);
        expect(codePointSlice(value, start, end)).toBe(all.slice(start, Math.max(start, end)).join(''));
      }),
    );
  });

  it('before the first and after the last there is none', () => {
    expect([codePointAt('a😀', -1), codePointAt('a😀', 2), codePointAt('ab', 2)]).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe('compareText', () => {
  it('orders as lists of code points', () => {
    fc.assert(
      fc.property(fc.oneof(text, mixed), fc.oneof(text, mixed), (left, right) => {
        expect(Math.sign(compareText(left, right))).toBe(byCodePoints(left, right));
      }),
    );
  });

  it('puts what has a pair after all that has none', () => {
    expect(['😀', '\uffee', 'a'].toSorted(compareText)).toEqual(['a', '\uffee', '😀']);
  });
});

function byCodePoints(left: string, right: string): number {
  const [a, b] = [left, right].map((value) => Array.from(value, (character) => character.codePointAt(0)!));
  for (let index = 0; index < Math.min(a!.length, b!.length); index++) {
    if (a![index] !== b![index]) return Math.sign(a![index]! - b![index]!);
  }
  return Math.sign(a!.length - b!.length);
}
