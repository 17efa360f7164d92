import { parseExactJsonText } from '../../core/parse-json-text.ts';
import type { HttpAnswer } from '../../ports/http-client.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import type { JsonValue } from '../values/json-value.ts';
import { isDeeper } from '../values/nesting.ts';

/** Arrays and objects in each other, as many as PHP reads. */
const deepest = 512;

/** The body of an answer as a JSON value, its integers with all their digits. One that is none is an `ExtractorError`. */
export function decodeBody(answer: HttpAnswer): JsonValue {
  const value = parsed(bodyText(answer));
  if (isDeeper(value, deepest)) throw invalid('Maximum stack depth exceeded');
  return value;
}

/** The body of an answer as a text, whose bytes that are no UTF-8 are replaced. */
export function bodyText({ body }: HttpAnswer): string {
  return new TextDecoder().decode(body);
}

function parsed(text: string): JsonValue {
  try {
    return parseExactJsonText(text) as JsonValue;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw invalid('Syntax error, malformed JSON');
    throw thrown;
  }
}

function invalid(why: string): ExtractorError {
  return new ExtractorError(`Invalid JSON response from API: JSON decode error: ${why}`);
}
