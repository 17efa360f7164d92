import type { Evaluation } from '../evaluation.ts';
import { chargeDigits } from '../values/number-text.ts';

/** How a format writes what has no parts. */
export interface ScalarStyle {
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  readonly number: (value: number) => string;
  readonly text: (value: string) => string;
}

export function scalarText(
  value: null | boolean | number | string,
  style: ScalarStyle,
  evaluation: Evaluation,
): string {
  if (value === null) return style.nothing;
  if (typeof value === 'string') return style.text(value);
  if (typeof value === 'boolean') return value ? style.yes : style.no;
  const text = style.number(value);
  chargeDigits(text, evaluation);
  return text;
}
