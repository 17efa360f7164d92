import type { Refusal } from '../core/dead-letter.ts';
import { limits } from '../core/limits.ts';

/** The cell of `column` would make the row longer than the limit. */
export function rowTooLarge(column: string): Refusal {
  return {
    reason: 'rowTooLarge',
    column,
    message: `the row is over the limit of ${limits.rowBytes} bytes at column "${column}": send a smaller event or map less of it`,
    place: '',
  };
}

/** The cell of `column` cannot be a text; `why` is, for example, `it is not valid UTF-8`. */
export function invalidText(column: string, why: string): Refusal {
  return {
    reason: 'invalidText',
    column,
    message: `column "${column}" cannot hold the value as text: ${why}`,
    place: '',
  };
}

export const notUtf8 = 'it is not valid UTF-8';
export const holdsNul = 'it contains the character U+0000';

/** Why a text cannot be a cell, undefined when it can. */
export function textFault(text: string): string | undefined {
  if (text.includes('\0')) return holdsNul;
  if (!text.isWellFormed()) return 'it contains half of a surrogate pair, which UTF-8 cannot write';
  return undefined;
}
