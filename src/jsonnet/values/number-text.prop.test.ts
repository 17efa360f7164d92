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

  it('of a whole number has digits only', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        expect(numberText(Math.trunc(value))).toMatch(/^-?\d+$/);
      }),
    );
  });

  it('is the shortest there is', () => {
    expect([0.1, 42.1, 1e21, 2 ** 53, 1e-7, -0, 1e300].map(numberText)).toEqual([
      '0.1',
      '42.1',
      '1000000000000000000000',
      '9007199254740992',
      '1e-7',
      '-0',
      BigInt(1e300).toString(),
    ]);
  });
});
