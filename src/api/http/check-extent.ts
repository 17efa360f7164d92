import { ApiError } from '../errors/api-error.ts';

/** Both are above the largest body that any endpoint needs: a source with its 100 sinks of 100 columns. */
const maxValues = 100_000;
const maxLevels = 32;
/** Nobody has use for one; they are read one by one. */
const maxEscapedKeys = 1000;
/** The largest body that any endpoint needs has some dozens; each different one costs a parser what a hundred values do. */
const maxDifferentKeys = 5000;
/** In a smaller body there are not as many. */
const leastBytesOfKeys = maxDifferentKeys * 4;
const keyPlaces = 2 ** 17;

const byte = { quote: 0x22, comma: 0x2c, colon: 0x3a, openBracket: 0x5b, backslash: 0x5c, closeBracket: 0x5d } as const;
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
  let escapedKeys = 0;
  let nextEscape = -1;
  const seenKeys = body.length < leastBytesOfKeys ? undefined : new Uint8Array(keyPlaces);
  let differentKeys = 0;
  for (let at = 0; at < body.length; at++) {
    const found = body[at] ?? 0;
    if (found <= blank) continue;
    const closes = found === byte.closeBracket || found === closeBrace;
    if (found === byte.comma || (isFirst && !closes)) values += 1;
    isFirst = found === byte.openBracket || found === openBrace;
    if (isFirst) levels += 1;
    else if (closes) levels -= 1;
    else if (found === byte.quote) {
      const end = endOfString(body, at);
      if (nextEscape < at) nextEscape = nextBackslash(body, at);
      if (isKey(body, end)) {
        if (nextEscape < end) escapedKeys += 1;
        if (seenKeys !== undefined && isNew(seenKeys, placeOf(body, at, end))) differentKeys += 1;
      }
      at = end;
    }
    if (levels > maxLevels)
      throw new ApiError('decodePayload', `the body has more than ${maxLevels} levels of arrays and objects`);
    if (escapedKeys > maxEscapedKeys)
      throw new ApiError('decodePayload', `the body has more than ${maxEscapedKeys} keys with a backslash`);
    if (differentKeys > maxDifferentKeys)
      throw new ApiError('decodePayload', `the body has more than ${maxDifferentKeys} different keys`);
    if (values > maxValues)
      throw new ApiError('decodePayload', `the body has more than ${maxValues} values in its arrays and objects`);
  }
}

/** The place of the quote that ends the string which begins at `start`; the end of the body when there is none. */
function endOfString(body: Uint8Array, start: number): number {
  for (let at = start + 1; at < body.length; at++) {
    if (body[at] === byte.quote) return at;
    if (body[at] === byte.backslash) at += 1;
  }
  return body.length;
}

/** Where a key is noted. Some have the same place as another: there are at least as many different ones as places. */
function placeOf(body: Uint8Array, start: number, end: number): number {
  let hash = 0x811c9dc5;
  for (let at = start + 1; at < end; at++) hash = Math.imul(hash ^ (body[at] ?? 0), 0x01000193);
  return (hash ^ (hash >>> 15)) & (keyPlaces - 1);
}

function isNew(seen: Uint8Array, place: number): boolean {
  if (seen[place] === 1) return false;
  seen[place] = 1;
  return true;
}

/** The first backslash from a place on; the end of the body when there is none. */
function nextBackslash(body: Uint8Array, from: number): number {
  const at = body.indexOf(byte.backslash, from);
  return at < 0 ? body.length : at;
}

/** Whether the string that ends here is a key. */
function isKey(body: Uint8Array, end: number): boolean {
  let after = end + 1;
  while (after < body.length && (body[after] ?? 0) <= blank) after += 1;
  return body[after] === byte.colon;
}
