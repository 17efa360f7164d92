import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { numberText } from './number-text.ts';

describe('the text of a number', () => {
  it('reads back to the same number, -0 included', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(Object.is(Number(numberText(value)), value)).toBe(true);
      }),
    );
  });

  it('of a whole number, however large, is its exact digits: no exponent, no zeros in place of digits', () => {
    const whole = fc.oneof(
      fc.maxSafeInteger().map((value) => value || 1),
      fc.double({ min: 2 ** 53, max: 1e24, noNaN: true }).map(Math.trunc),
      fc.double({ min: 2 ** 53, noDefaultInfinity: true, noNaN: true }).map((value) => -value),
    );
    fc.assert(fc.property(whole, (value) => numberText(value) === BigInt(value).toString()));
  });

  it('of any other number is the shortest there is', () => {
    const part = fc.double({ noNaN: true, noDefaultInfinity: true, noInteger: true });
    fc.assert(fc.property(part, (value) => numberText(value) === String(value)));
  });

  it.each([
    [0.1, '0.1'],
    [1e-7, '1e-7'],
    [-0, '-0'],
    [2 ** 53, '9007199254740992'],
    [2 ** 64, '18446744073709551616'],
    [1e21, '1000000000000000000000'],
    [-(2 ** 100), '-1267650600228229401496703205376'],
  ])('of %d is %s', (value, text) => expect(numberText(value)).toBe(text));
});
