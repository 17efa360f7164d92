import type { Evaluation } from '../evaluation.ts';
import type { ArrayValue, Value } from '../values/value.ts';

/** The elements of an array as bytes; `refuse` makes the error for one that is none. */
export function bytesOf(array: ArrayValue, evaluation: Evaluation, refuse: (element: Value) => Error): Buffer {
  evaluation.steps(array.length);
  const bytes = Buffer.alloc(array.length);
  array.forEach((slot, index) => {
    const element = evaluation.force(slot);
    if (typeof element !== 'number' || !Number.isInteger(element) || element < 0 || element > 255) {
      throw refuse(element);
    }
    bytes[index] = element;
  });
  return bytes;
}

/** An array of the numbers of bytes. */
export function arrayOfBytes(bytes: Buffer, evaluation: Evaluation): ArrayValue {
  evaluation.array(bytes.length);
  return [...bytes];
}

/** Text of bytes in UTF-8, with one U+FFFD for each byte that is no part of a character. */
export function textOfBytes(bytes: Buffer, evaluation: Evaluation): string {
  evaluation.text(bytes.length);
  const text = bytes.toString('utf8');
  return text.includes(replacement) ? textOfBrokenBytes(bytes, evaluation) : text;
}

const replacement = '\ufffd';

/** The decoder of the platform has one U+FFFD for some sequences of several bytes, so characters are taken singly. */
function textOfBrokenBytes(bytes: Buffer, evaluation: Evaluation): string {
  evaluation.steps(bytes.length);
  let text = '';
  for (let at = 0; at < bytes.length;) {
    const part = bytes.subarray(at, at + lengthByLead(bytes[at] ?? 0));
    const character = part.toString('utf8');
    const whole = !character.includes(replacement) || part.equals(encodedReplacement);
    text += whole ? character : replacement;
    at += whole ? part.length : 1;
  }
  return text;
}

const encodedReplacement = Buffer.from(replacement);

function lengthByLead(byte: number): number {
  if (byte < 0xc0) return 1;
  if (byte < 0xe0) return 2;
  return byte < 0xf0 ? 3 : 4;
}
