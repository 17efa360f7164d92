import { jsonTokens } from '../../core/json-tokens.ts';

/** A valid JSON text with a field or element a line; digits, escapes and the order of keys stay as they were written. */
export function indentedJson(text: string): string {
  const pieces: string[] = [];
  let depth = 0;
  let before = '';
  const newLine = (): void => void pieces.push(`\n${'  '.repeat(depth)}`);
  for (const { kind, from, to } of jsonTokens(text)) {
    const closes = kind === '}' || kind === ']';
    if (closes) depth -= 1;
    // An empty object stays on its line.
    const isInside = before === '{' || before === '[';
    if (before === ',' || (isInside !== closes && (isInside || closes))) newLine();
    if (before === ':') pieces.push(' ');
    pieces.push(text.slice(from, to));
    if (kind === '{' || kind === '[') depth += 1;
    before = kind;
  }
  return pieces.join('');
}
