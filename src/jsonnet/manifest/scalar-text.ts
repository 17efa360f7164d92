/** How a format writes what has no parts. */
export interface ScalarStyle {
  readonly yes: string;
  readonly no: string;
  readonly nothing: string;
  readonly number: (value: number) => string;
  readonly text: (value: string) => string;
}

export function scalarText(value: null | boolean | number | string, style: ScalarStyle): string {
  if (value === null) return style.nothing;
  if (typeof value === 'string') return style.text(value);
  if (typeof value === 'number') return style.number(value);
  return value ? style.yes : style.no;
}
