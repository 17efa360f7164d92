import { jsonMembers } from '../../core/json-members.ts';
import { JsonText } from '../../core/json-text.ts';
import { ApiError } from '../errors/api-error.ts';
import { checkExtent } from './check-extent.ts';
import { utf8 } from './utf8.ts';

/** Far more than any endpoint knows. */
const maxFields = 1000;

export function isForm(contentType: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

/**
 * The fields of a form, the last of each name; what is no valid percent encoding or no UTF-8 is refused, and JSON as in any body. In the
 * bytes, blanks take the place of `+`.
 */
export function formFields(bytes: Uint8Array): Readonly<Record<string, string>> {
  const text = utf8(withBlanks(bytes));
  const pairs = text.split('&', maxFields + 1).filter((pair) => pair !== '');
  if (pairs.length > maxFields) throw new ApiError('decodePayload', `the form has more than ${maxFields} fields`);
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      const [name, value] = at < 0 ? [pair, ''] : [pair.slice(0, at), pair.slice(at + 1)];
      return [percentDecoded(name), checked(percentDecoded(value))];
    }),
  );
}

/** The fields of an object of JSON: what holds more than one value stays the text that was sent, since its digits and order count. */
export function jsonFields(value: object, text: string): Readonly<Record<string, unknown>> {
  const texts = jsonMembers(text);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => {
      if (typeof one === 'string') return [name, checked(one)];
      const own = typeof one === 'object' && one !== null ? texts.get(name) : undefined;
      return [name, own === undefined ? one : new JsonText(own)];
    }),
  );
}

/** D8: a text that may be JSON is read as JSON later, so that what holds for a body holds for it. */
function checked(text: string): string {
  if (/^\s*[[{]/.test(text)) checkExtent(Buffer.from(text));
  return text;
}

const plus = 0x2b;
const blank = 0x20;

/** Byte by byte: a text in which every other character is replaced takes seconds. */
function withBlanks(bytes: Uint8Array): Uint8Array {
  const spaced = Uint8Array.from(bytes);
  for (let at = 0; at < spaced.length; at++) if (spaced[at] === plus) spaced[at] = blank;
  return spaced;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    const message =
      'the form holds a malformed percent encoding: "%" itself is sent as "%25", as curl does with --data-urlencode';
    throw new ApiError('decodePayload', message, { cause });
  }
}
