import type { Evaluation } from '../evaluation.ts';

/** Only whole numbers that are no safe integers are so long; each of their digits takes its time. */
const longestCheap = 24;

/**
 * A number as text that reads back to the same number: a whole one as its digits, all of them exact and never with an exponent (2 ** 64 is
 * 18446744073709551616, 1e300 has 301 digits), any other as the shortest text; -0 is `-0`.
 */
export function numberText(value: number): string {
  if ((value | 0) === value && value !== 0) return `${value}`;
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? BigInt(value).toString() : String(value);
}

/** The same within an evaluation, which is charged for many digits. */
export function chargedNumber(value: number, evaluation: Evaluation): string {
  const text = numberText(value);
  chargeDigits(text, evaluation);
  return text;
}

/** Charges the making of a text of digits. */
export function chargeDigits(text: string, evaluation: Evaluation): void {
  if (text.length > longestCheap) evaluation.steps(text.length >> 2);
}
