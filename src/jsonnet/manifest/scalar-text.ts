import { quote } from './quote.ts';

/** How a format writes what has no parts; strings are written as JSON in all of them. */
export interface ScalarStyle {
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  readonly number: (value: number) => string;
}

export function scalarText(value: null | boolean | number | string, style: ScalarStyle): string {
  if (value === null) return style.nothing;
  if (typeof value === 'string') return quote(value);
  if (typeof value === 'number') return style.number(value);
  return value ? style.yes : style.no;
}
