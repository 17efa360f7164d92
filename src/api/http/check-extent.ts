import { ApiError } from '../errors/api-error.ts';

/** Both are above the largest body that any endpoint needs: a source with its 100 sinks of 100 columns. */
const maxValues = 100_000;
const maxLevels = 32;

const byte = { quote: 0x22, comma: 0x2c, openBracket: 0x5b, backslash: 0x5c, closeBracket: 0x5d } as const;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Nothing at or below it means anything between the values of JSON. */
const blank = 0x20;

/**
 * D8: refuses JSON of more values or more levels than any endpoint has use for, before anything reads it: to build four
 * million values takes a thread that takes events seconds, and each wrong one costs a schema a hundred times its bytes.
 * What is not JSON is measured as far as it looks like it.
 */
export function checkExtent(body: Uint8Array): void {
  let values = 1;
  let levels = 0;
  let isFirst = false;
  for (let at = 0; at < body.length; at++) {
    const found = body[at] ?? 0;
    if (found <= blank) continue;
    const closes = found === byte.closeBracket || found === closeBrace;
    if (found === byte.comma || (isFirst && !closes)) values += 1;
    isFirst = found === byte.openBracket || found === openBrace;
    if (isFirst) levels += 1;
    else if (closes) levels -= 1;
    else if (found === byte.quote) at = endOfString(body, at);
    if (levels > maxLevels)
      throw new ApiError('decodePayload', `the body has more than ${maxLevels} levels of arrays and objects`);
    if (values > maxValues)
      throw new ApiError('decodePayload', `the body has more than ${maxValues} values in its arrays and objects`);
  }
}

/** The place of the quote that ends the string which begins at `start`; the end of the body when there is none. */
function endOfString(body: Uint8Array, start: number): number {
  for (let at = body.indexOf(byte.quote, start + 1); at >= 0; at = body.indexOf(byte.quote, at + 1)) {
    let before = at;
    while (body[before - 1] === byte.backslash && before - 1 > start) before -= 1;
    if ((at - before) % 2 === 0) return at;
  }
  return body.length;
}
