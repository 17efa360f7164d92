import { limits } from '../core/limits.ts';
import { endOfString } from './json-lexer.ts';

const quote = 0x22;
const comma = 0x2c;

/**
 * Whether a JSON body holds more values than are kept in memory, told from its bytes before it is parsed: a body of `[],`
 * takes many times its length then. What it says about bytes that are no JSON has no meaning.
 */
export function holdsManyValues(body: Uint8Array): boolean {
  // Each value takes two bytes or more, with what separates it from the next.
  if (body.length < 2 * limits.decodedValues) return false;
  let count = 1;
  for (let at = 0; at < body.length && at >= 0;) {
    const byte = body[at];
    if (byte === quote) at = endOfString(body, at + 1);
    else {
      // A value stands after a comma, or is the first one of what opens here.
      if (byte === comma || (isOpening(byte) && !isClosing(body[at + 1]))) count++;
      at++;
    }
  }
  return count > limits.decodedValues;
}

function isClosing(byte: number | undefined): boolean {
  return byte === 0x5d || byte === 0x7d;
}

function isOpening(byte: number | undefined): boolean {
  return byte === 0x5b || byte === 0x7b;
}
