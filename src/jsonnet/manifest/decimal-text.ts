/**
 * A number as text without an exponent, whatever its size: the fewest digits that read back to the same number, with
 * zeros where they do not reach (1e-7 is `0.0000001`). JSON and YAML made by `std` write numbers like this.
 */
export function decimalText(value: number): string {
  if (Object.is(value, -0)) return '-0';
  const text = String(value);
  const at = text.indexOf('e');
  if (at < 0) return text;
  const sign = value < 0 ? '-' : '';
  const digits = text.slice(sign.length, at).replace('.', '');
  const exponent = Number(text.slice(at + 1));
  return exponent < 0 ? `${sign}0.${'0'.repeat(-1 - exponent)}${digits}` : sign + digits.padEnd(exponent + 1, '0');
}
