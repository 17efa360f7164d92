import { parseExactJsonText, parseJsonText } from '../../core/parse-json-text.ts';
import type { HttpAnswer } from '../../ports/http-client.ts';
import { ExtractorError } from '../values/extractor-error.ts';
import { inspect } from '../values/inspect.ts';
import type { JsonValue } from '../values/json-value.ts';

/** Arrays and objects in each other, as many as PHP reads. */
const deepest = 512;

/** What an answer holds. */
export interface DecodedAnswer {
  readonly response: JsonValue;
  /** Arrays and objects in each other. */
  readonly depth: number;
  /** What it was decoded from. */
  readonly body: Uint8Array;
}

/** The body of an answer as a JSON value, its integers with all their digits. One that is none is an `ExtractorError`. */
export function decodeBody({ body }: Pick<HttpAnswer, 'body'>): DecodedAnswer {
  const text = bodyText({ body });
  const found = parsed(text, parseJsonText);
  const { depth, hasLongInteger } = inspect(found, deepest);
  if (depth > deepest) throw invalid('Maximum stack depth exceeded');
  return { response: hasLongInteger ? parsed(text, parseExactJsonText) : found, depth, body };
}

/** The same for an answer that is taken although it is an error: what is no JSON is a text. */
export function decodeIgnored(
  { body }: Pick<HttpAnswer, 'body'>,
  told: (failure: ExtractorError) => void,
): DecodedAnswer {
  try {
    return decodeBody({ body });
  } catch (thrown) {
    if (!(thrown instanceof ExtractorError)) throw thrown;
    told(thrown);
    return { response: { errorData: bodyText({ body }) }, depth: 1, body };
  }
}

/** The body of an answer as a text, whose bytes that are no UTF-8 are replaced. */
export function bodyText({ body }: Pick<HttpAnswer, 'body'>): string {
  return new TextDecoder().decode(body);
}

function parsed(text: string, parse: (text: string) => unknown): JsonValue {
  try {
    return parse(text) as JsonValue;
  } catch (thrown) {
    if (thrown instanceof SyntaxError) throw invalid('Syntax error, malformed JSON');
    throw thrown;
  }
}

function invalid(why: string): ExtractorError {
  return new ExtractorError(`Invalid JSON response from API: JSON decode error: ${why}`);
}
