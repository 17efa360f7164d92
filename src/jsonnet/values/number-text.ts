/**
 * A number as text: the shortest that reads back to the same number; a whole number has no exponent, whatever its size
 * (1e300 has 301 digits), and -0 is `-0`.
 */
export function numberText(value: number): string {
  if ((value | 0) === value && value !== 0) return `${value}`;
  if (Number.isInteger(value)) {
    if (value === 0) return Object.is(value, -0) ? '-0' : '0';
    return Math.abs(value) < 1e21 ? String(value) : BigInt(value).toString();
  }
  return String(value);
}
