import { numberText } from '../values/number-text.ts';

/**
 * As `numberText`, but without an exponent for small numbers, too: 1e-7 is `0.0000001`. JSON and YAML made by `std` write
 * numbers like this.
 */
export function decimalText(value: number): string {
  const text = numberText(value);
  const at = text.indexOf('e');
  if (at < 0) return text;
  const sign = value < 0 ? '-' : '';
  const digits = text.slice(sign.length, at).replace('.', '');
  return `${sign}0.${'0'.repeat(-1 - Number(text.slice(at + 1)))}${digits}`;
}
