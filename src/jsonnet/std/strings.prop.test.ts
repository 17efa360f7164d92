import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../compile.ts';

/** Strings where code points and UTF-16 units differ, with few characters so that much repeats. */
const text = fc.string({ unit: fc.constantFrom('a', 'b', ' ', 'é', '😀', '😁'), maxLength: 20 });
const short = fc.string({ unit: fc.constantFrom('a', 'b', '😀', '😁'), minLength: 1, maxLength: 2 });

/** A function of `std` called with these values. */
const call = (name: string, ...args: readonly unknown[]): unknown =>
  JSON.parse(compile(`std.${name}(${args.map((arg) => JSON.stringify(arg)).join(', ')})`).evaluate());

describe('functions on strings', () => {
  it('std.substr and std.stringChars count code points', () => {
    fc.assert(
      fc.property(text, fc.nat({ max: 25 }), fc.nat({ max: 25 }), (text, from, length) => {
        const characters = Array.from(text);
        expect(call('stringChars', text)).toEqual(characters);
        expect(call('substr', text, from, length)).toBe(characters.slice(from, from + length).join(''));
      }),
    );
  });

  it('std.findSubstr gives the places where std.substr gives the pattern', () => {
    fc.assert(
      fc.property(text, short, (text, pattern) => {
        const characters = Array.from(text);
        const length = Array.from(pattern).length;
        const places = characters
          .map((_, at) => at)
          .filter((at) => characters.slice(at, at + length).join('') === pattern);
        expect(call('findSubstr', pattern, text)).toEqual(places);
      }),
    );
  });

  it('the parts of a split string, joined, are the string; limits say how many there are', () => {
    fc.assert(
      fc.property(text, short, fc.nat({ max: 3 }), (text, separator, limit) => {
        const whole = text.split(separator);
        expect(call('split', text, separator)).toEqual(whole);
        const left = call('splitLimit', text, separator, limit);
        const right = call('splitLimitR', text, separator, limit);
        expect(left).toHaveLength(Math.min(whole.length, limit + 1));
        expect(right).toHaveLength(Math.min(whole.length, limit + 1));
        expect([call('join', separator, left), call('join', separator, right)]).toEqual([text, text]);
      }),
    );
  });

  it('std.stripChars leaves what begins and ends with other characters', () => {
    fc.assert(
      fc.property(text, text, (text, chars) => {
        const characters = Array.from(text);
        const kept = (character: string): boolean => !Array.from(chars).includes(character);
        const from = characters.findIndex(kept);
        const rest = from < 0 ? [] : characters.slice(from, characters.findLastIndex(kept) + 1);
        expect(call('stripChars', text, chars)).toBe(rest.join(''));
        expect(call('stripChars', text, Array.from(chars))).toBe(rest.join(''));
        expect(call('lstripChars', call('rstripChars', text, chars), chars)).toBe(rest.join(''));
      }),
    );
  });

  it('std.escapeStringJson reads back as JSON', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(JSON.parse(String(call('escapeStringJson', text)))).toBe(text);
      }),
    );
  });
});
