import { parseExactJsonText } from '../../core/parse-json-text.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import type { JsonValue } from '../values/json-value.ts';

declare global {
  interface JSON {
    /** ECMAScript 2026; the types of TypeScript do not know it. */
    rawJSON(text: string): unknown;
  }
}

/**
 * JSON text that reads back as it was: integers with all their digits, floats as short as that allows, where the texts of `values` are
 * those of PHP. A number that no double holds is refused.
 */
export function exactText(value: JsonValue): string {
  const text = plainText(value);
  if (text === undefined) return JSON.stringify(value, exact);
  // What is no number became null.
  if (text.includes('null')) checkFinite(value);
  return text;
}

/** Undefined for a value with a bigint in it. A function that looks at each value takes several times as long. */
function plainText(value: JsonValue): string | undefined {
  try {
    return JSON.stringify(value);
  } catch (thrown) {
    if (thrown instanceof TypeError) return undefined;
    throw thrown;
  }
}

function checkFinite(value: JsonValue): void {
  if (typeof value === 'number') exact('', value);
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) checkFinite(one);
}

/** What `exactText` made of an array or an object. */
export function readExactText(text: string): JsonValue {
  return parseExactJsonText(text) as JsonValue;
}

function exact(_key: string, value: unknown): unknown {
  if (typeof value === 'bigint') return JSON.rawJSON(value.toString());
  if (typeof value === 'number' && !Number.isFinite(value)) throw beyondDouble();
  return value;
}

/** The cell of a scalar: true is 1, false and null are empty. A number that no double holds is refused. */
export function cellText(value: null | boolean | number | bigint | string): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number' && !Number.isFinite(value)) throw beyondDouble();
  if (value === null || value === false) return '';
  return value === true ? '1' : String(value);
}

function beyondDouble(): ExtractorError {
  return new ExtractorError('Error parsing response JSON: A number is beyond the range of a double (1.8e308).');
}
