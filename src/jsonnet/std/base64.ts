import type { Evaluation } from '../evaluation.ts';
import type { ArrayValue } from '../values/value.ts';
import { typeName } from '../values/value.ts';
import { bytesOf } from './bytes.ts';

/** Base64 of an array of bytes or of a text in UTF-8 whose code points are all up to 255. */
export function encodeBase64(input: string | ArrayValue, evaluation: Evaluation): string {
  const bytes = typeof input === 'string' ? bytesOfText(input, evaluation) : bytesOfArray(input, evaluation);
  const text = bytes.toString('base64');
  evaluation.text(text.length);
  return text;
}

/** The bytes of a text in base64; ends of lines in it do not count. */
export function decodeBase64(text: string, evaluation: Evaluation): Buffer {
  evaluation.scan(text.length);
  const length = Buffer.byteLength(text);
  if (length % 4 !== 0) {
    throw evaluation.error(`input string appears not to be a base64 encoded string. Wrong length found (${length})`);
  }
  const digits = text.replaceAll(/[\r\n]/g, '');
  if (digits.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(digits)) {
    throw evaluation.error('failed to decode: illegal base64 data');
  }
  return Buffer.from(digits, 'base64');
}

function bytesOfText(text: string, evaluation: Evaluation): Buffer {
  evaluation.scan(text.length);
  const large = /[^\0-\u00ff]/u.exec(text)?.[0];
  if (large !== undefined) throw outOfRange(large.codePointAt(0) ?? 0, evaluation);
  return Buffer.from(text);
}

function bytesOfArray(array: ArrayValue, evaluation: Evaluation): Buffer {
  return bytesOf(array, evaluation, (element) =>
    typeof element === 'number' && Number.isInteger(element)
      ? outOfRange(element, evaluation)
      : evaluation.error(`base64 encountered a non-integer value in the array, got ${typeName(element)}`),
  );
}

function outOfRange(found: number, evaluation: Evaluation): Error {
  const rule = 'must be 0 <= X <= 255';
  return evaluation.error(`base64 encountered invalid codepoint value in the array (${rule}), got ${found}`);
}
