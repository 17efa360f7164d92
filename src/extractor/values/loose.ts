import { isList, type JsonValue } from './json-value.ts';

/*
 * Configurations are written for an extractor in PHP, whose loose values they rely on: numbers as texts, `"0"` as no, any other text as
 * yes. The rules are those of PHP 8, https://www.php.net/manual/en/types.comparisons.php.
 */

/** Undefined, null, false, 0, `""`, `"0"` and `[]`; an object is never empty. */
export function isEmpty(value: JsonValue | undefined): boolean {
  return value === undefined || !isTruthy(value);
}

export function isTruthy(value: JsonValue): boolean {
  if (isList(value)) return value.length > 0;
  // An object is an instance there, however few fields it has.
  return value !== '0' && Boolean(value);
}

const number = /^[ \t\n\r\v\f]*[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?/;

/** A number, or a text that is one with blanks around it. */
export function isNumeric(value: JsonValue | undefined): boolean {
  if (typeof value === 'number' || typeof value === 'bigint') return true;
  if (typeof value !== 'string') return false;
  const found = number.exec(value);
  return found !== null && value.slice(found[0].length).trim() === '';
}

/** The number that a value begins with; 0 where it begins with none. */
export function numberOf(value: JsonValue | undefined): number {
  switch (typeof value) {
    case 'number':
      return value;
    case 'bigint':
    case 'boolean':
      return Number(value);
    case 'string':
      return Number(number.exec(value)?.[0] ?? 0);
    default:
      return isList(value) && value.length > 0 ? 1 : 0;
  }
}

/** The same, cut down to a whole number. */
export function integerOf(value: JsonValue | undefined): number {
  const found = Math.trunc(numberOf(value));
  // Never -0, which a request would show.
  return Number.isFinite(found) ? found + 0 : 0;
}

/** The type as messages name it. */
export function typeOf(value: JsonValue): string {
  if (value === null) return 'NULL';
  if (isList(value)) return 'array';
  switch (typeof value) {
    case 'number':
      return Number.isInteger(value) ? 'integer' : 'double';
    case 'bigint':
      return 'integer';
    default:
      return typeof value;
  }
}
