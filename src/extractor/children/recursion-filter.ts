import { ExtractorError } from '../values/extractor-error.ts';
import { shown, valueAt, type JsonValue } from '../values/json-value.ts';
import { isNumeric, numberOf } from '../values/loose.ts';

/** True for an item that has child jobs. */
export type ItemFilter = (item: JsonValue) => boolean;

const operators = ['==', '!=', '>=', '<=', '>', '<', '~~', '!~'] as const;
type Operator = (typeof operators)[number];

/** Two-letter operators come first where both stand at one place. */
const operator = /==|!=|>=|<=|~~|!~|>|</;

/**
 * Reads `recursionFilter`: comparisons `path operator value` joined by `&` and `|`, of which `&` binds tighter. Blanks
 * count. A text that is no comparison is an `ExtractorError`.
 */
export function parseRecursionFilter(expression: string): ItemFilter {
  const alternatives = expression.split('|').map((part) => part.split('&').map(comparison));
  return (item) => alternatives.some((all) => all.every((holds) => holds(item)));
}

function comparison(text: string): ItemFilter {
  const match = operator.exec(text);
  if (match === null)
    throw new ExtractorError(
      `Error creating a filter from ${text}: Operator couldn't be determined. Please use one of [${operators.join(', ')}]`,
    );
  const [sign] = match;
  const path = text.slice(0, match.index);
  const expected = text.slice(match.index + sign.length);
  return (item) => holds(valueAt(item, path) ?? null, sign as Operator, expected);
}

function holds(value: JsonValue, sign: Operator, expected: string): boolean {
  switch (sign) {
    case '==':
      return compared(value, expected) === 0;
    case '!=':
      return compared(value, expected) !== 0;
    case '>':
      return compared(value, expected) > 0;
    case '<':
      return compared(value, expected) < 0;
    case '>=':
      return compared(value, expected) >= 0;
    case '<=':
      return compared(value, expected) <= 0;
    case '~~':
      return isLike(textOf(value), expected);
    case '!~':
      return !isLike(textOf(value), expected);
    default:
      return sign satisfies never;
  }
}

/** Below 0, 0 or above 0: two numbers by what they are, everything else by its text. */
function compared(value: JsonValue, expected: string): number {
  const text = textOf(value);
  if (isNumeric(text) && isNumeric(expected)) return Math.sign(numberOf(text) - numberOf(expected));
  return text === expected ? 0 : text < expected ? -1 : 1;
}

function textOf(value: JsonValue): string {
  if (value === null || value === false) return '';
  return value === true ? '1' : shown(value);
}

/** `%` is any text. */
function isLike(text: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('%');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let at = first.length;
  for (const part of rest) {
    const next = text.indexOf(part, at);
    if (next === -1) return false;
    at = next + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}
