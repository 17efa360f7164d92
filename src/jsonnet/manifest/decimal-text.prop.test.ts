import { assert, double, property } from 'fast-check';
import { expect, it } from 'vitest';
import { numberText } from '../values/number-text.ts';
import { decimalText } from './decimal-text.ts';

it('reads back to the same number and has no exponent', () => {
  assert(
    property(double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const text = decimalText(value);
      expect(text).toMatch(/^-?\d+(\.\d*[1-9])?$/);
      expect(Object.is(Number(text), value)).toBe(true);
    }),
  );
});

it('of a whole number is what it is everywhere', () => {
  const whole = double({ noNaN: true, noDefaultInfinity: true }).map(Math.trunc);
  assert(property(whole, (value) => decimalText(value) === numberText(value)));
});

it.each([
  [1e-7, '0.0000001'],
  [-2.5e-9, '-0.0000000025'],
  [1e21, '1000000000000000000000'],
  [-1.5e22, '-15000000000000000000000'],
  [-0, '-0'],
  [0.1, '0.1'],
])('%d is %s', (value, text) => expect(decimalText(value)).toBe(text));
