import type { Place } from '../place.ts';

export type TokenKind = 'name' | 'keyword' | 'number' | 'string' | 'operator' | 'symbol' | 'end';

/** A word of the language. `text` is what stands in the template, of a string its value. */
export interface Token {
  readonly kind: TokenKind;
  readonly text: string;
  readonly place: Place;
}

export const keywords: ReadonlySet<string> = new Set([
  'assert',
  'else',
  'error',
  'false',
  'for',
  'function',
  'if',
  'import',
  'importbin',
  'importstr',
  'in',
  'local',
  'null',
  'self',
  'super',
  'tailstrict',
  'then',
  'true',
]);

/** How a token is called in a message. */
export function describe(token: Token): string {
  return token.kind === 'end' ? 'end of file' : `"${token.text}"`;
}
