import { validateHeaderName, validateHeaderValue } from 'node:http';
import { MillraceError } from '../../../core/millrace-error.ts';

/** Reads `Name: value`. */
export function parseHeader(text: string): readonly [string, string] {
  const at = text.indexOf(':');
  const name = text.slice(0, at).trim();
  const value = text.slice(at + 1).trim();
  try {
    if (at < 1) throw new TypeError('it must be "Name: value"');
    validateHeaderName(name);
    validateHeaderValue(name, value);
  } catch (thrown) {
    throw new MillraceError('input.invalid', `Header "${text}": ${MillraceError.fromUnknown(thrown).message}.`);
  }
  return [name, value];
}
