/**
 * A number as text that reads back to the same number: a whole one as its digits, all of them exact and never with an exponent (2 ** 64 is
 * 18446744073709551616, 1e300 has 301 digits), any other as the shortest text; -0 is `-0`.
 */
export function numberText(value: number): string {
  if ((value | 0) === value && value !== 0) return `${value}`;
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : String(value);
}
