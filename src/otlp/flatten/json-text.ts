import type { Int64 } from '../wire/wire-reader.ts';

/** What JSON has an escape for: quotes, backslashes, control characters, and halves of pairs. */
const special = /["\\]|[^\u0020-\ud7ff\ue000-\uffff]/;

/** A JSON string. */
export function stringText(text: string): string {
  return special.test(text) ? JSON.stringify(text) : `"${text}"`;
}

/** A JSON number; NaN and the infinities, which JSON has no numbers for, as strings. */
export function doubleText(value: number): string {
  return Number.isFinite(value) ? String(value) : `"${value}"`;
}

const largest = 2n ** 63n - 1n;

/** A counter of 64 bits without a sign; as the reference has it, no larger than one with a sign can be (3.5). */
export function counterText(value: Int64): string {
  return typeof value === 'bigint' && value > largest ? String(largest) : String(value);
}

/** A JSON array of texts. */
export function listText(texts: readonly string[]): string {
  return `[${texts.join(',')}]`;
}

/** A field behind others; nothing for one that is left out. */
export function optionalField(name: string, text: string | undefined): string {
  return text === undefined ? '' : `,"${name}":${text}`;
}

/** A field behind others that is left out where it is 0. */
export function countField(name: string, value: number): string {
  return value === 0 ? '' : `,"${name}":${value}`;
}

/** A field behind others that is left out where it is empty. */
export function textField(name: string, text: string): string {
  return text === '' ? '' : `,"${name}":${stringText(text)}`;
}
