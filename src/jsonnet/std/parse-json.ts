import { parseJsonText } from '../../core/parse-json-text.ts';
import type { Evaluation } from '../evaluation.ts';
import type { Value } from '../values/value.ts';

/** The value of a JSON text. A number too large for one is refused; half a surrogate pair becomes U+FFFD. */
export function parseJson(text: string, evaluation: Evaluation): Value {
  // Parsing makes up to one value for each two characters, an object for each three.
  evaluation.steps(text.length >> 1);
  const value = parseText(text.replaceAll(escapes, wholePair), evaluation);
  if (mayExceed.test(text) || text.length > 2 * evaluation.limits.arrayLength) checkAll(value, evaluation);
  return value;
}

function parseText(text: string, evaluation: Evaluation): Value {
  try {
    return parseJsonText(text) as Value;
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw evaluation.error(`failed to parse JSON: ${error.message}`);
  }
}

/** Escaped pairs of surrogates, halves of them, and, so that a backslash is seen with what it escapes, all other escapes. */
const escapes = /\\u[dD][89abAB][\da-fA-F]{2}\\u[dD][c-fC-F][\da-fA-F]{2}|\\u[dD][89a-fA-F][\da-fA-F]{2}|\\[^]/g;

function wholePair(escape: string): string {
  return escape.length === 6 ? '\\ufffd' : escape;
}

/** Only a text that this finds can have a number that is too large: it has a long exponent or very many digits. */
const mayExceed = /[eE]\+?\d{3}|(?<!\d)\d{200}/;

function checkAll(root: unknown, evaluation: Evaluation): void {
  const left: unknown[] = [root];
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    evaluation.steps(1);
    if (typeof value === 'number' && !Number.isFinite(value)) {
      throw evaluation.error('failed to parse JSON: a number is too large');
    }
    if (typeof value !== 'object' || value === null) continue;
    const parts: unknown[] = Object.values(value);
    if (Array.isArray(value)) evaluation.array(parts.length);
    for (const part of parts) left.push(part);
  }
}
