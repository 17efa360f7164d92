/**
 * A number as `mantissa * 2 ** exponent` with the mantissa from 0.5 to less than 1 (negative for a negative number);
 * both are 0 for 0.
 */
export function splitNumber(value: number): { readonly mantissa: number; readonly exponent: number } {
  if (value === 0) return { mantissa: value, exponent: 0 };
  const magnitude = Math.abs(value);
  // The logarithm may be one off next to a power of two; numbers below the normal ones are brought up first.
  const lift = magnitude < 2 ** -1022 ? 54 : 0;
  const lifted = magnitude * 2 ** lift;
  let exponent = Math.floor(Math.log2(lifted)) + 1;
  let mantissa = scaled(lifted, -exponent);
  if (mantissa >= 1) {
    mantissa /= 2;
    exponent++;
  } else if (mantissa < 0.5) {
    mantissa *= 2;
    exponent--;
  }
  return { mantissa: value < 0 ? -mantissa : mantissa, exponent: exponent - lift };
}

/** In two steps, because `2 ** 1024` is too large for a number and `2 ** -1024` loses bits. */
function scaled(value: number, exponent: number): number {
  const half = Math.trunc(exponent / 2);
  return value * 2 ** half * 2 ** (exponent - half);
}
