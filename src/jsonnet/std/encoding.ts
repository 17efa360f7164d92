import { isArray, typeName } from '../values/value.ts';
import { decodeBase64, encodeBase64 } from './base64.ts';
import { builtin, type Builtin } from './builtin.ts';
import { arrayOfBytes, bytesOf, textOfBytes } from './bytes.ts';

/** Text as bytes and as base64. */
export const encodings: readonly Builtin[] = [
  builtin('base64', ['input: any'], ([input], evaluation) => {
    if (typeof input === 'string' || isArray(input)) return encodeBase64(input, evaluation);
    throw evaluation.error(`base64 can only base64 encode strings / arrays of single bytes, got ${typeName(input)}`);
  }),
  builtin('base64Decode', ['str: string'], ([text], evaluation) =>
    textOfBytes(decodeBase64(text, evaluation), evaluation),
  ),
  builtin('base64DecodeBytes', ['str: string'], ([text], evaluation) =>
    arrayOfBytes(decodeBase64(text, evaluation), evaluation),
  ),
  builtin('encodeUTF8', ['str: string'], ([text], evaluation) => {
    evaluation.scan(text.length);
    return arrayOfBytes(Buffer.from(text), evaluation);
  }),
  builtin('decodeUTF8', ['arr: array'], ([array], evaluation) =>
    textOfBytes(
      bytesOf(array, evaluation, (element) => {
        const found = typeof element === 'number' ? element : typeName(element);
        return evaluation.error(`std.decodeUTF8: Bytes must be integers in range [0, 255], got ${found}`);
      }),
      evaluation,
    ),
  ),
];
