import * as fc from 'fast-check';
import { expect, it } from 'vitest';
import { splitNumber } from './split-number.ts';

it('mantissa times two to the exponent is the number, and the mantissa is half to one', () => {
  const value = fc.double({ noNaN: true, noDefaultInfinity: true });
  fc.assert(
    fc.property(value, (value) => {
      const { mantissa, exponent } = splitNumber(value);
      const size = Math.abs(mantissa);
      expect(value === 0 ? size === 0 && exponent === 0 : size >= 0.5 && size < 1).toBe(true);
      const half = Math.trunc(exponent / 2);
      expect(mantissa * 2 ** half * 2 ** (exponent - half)).toBe(value);
    }),
    { numRuns: 1000, examples: [[Number.MAX_VALUE], [5e-324], [2 ** -1022], [0.5], [1 - 2 ** -53], [-0]] },
  );
});
