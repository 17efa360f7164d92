import { jsonMembers } from '../../core/json-members.ts';
import { JsonText } from '../../core/json-text.ts';
import { ApiError } from '../errors/api-error.ts';
import { checkExtent } from './check-extent.ts';

/** Far more than any endpoint knows. */
const maxFields = 1000;

export function isForm(contentType: string | undefined): boolean {
  return /^\s*application\/x-www-form-urlencoded\s*(?:;|$)/i.test(contentType ?? '');
}

/** The fields of a form, the last of each name; what is no valid percent encoding or no UTF-8 is refused, and JSON as in any body. */
export function formFields(text: string): Readonly<Record<string, string>> {
  const pairs = text.split('&', maxFields + 1).filter((pair) => pair !== '');
  if (pairs.length > maxFields) throw new ApiError('decodePayload', `the form has more than ${maxFields} fields`);
  return Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=');
      return at < 0 ? [decoded(pair), ''] : [decoded(pair.slice(0, at)), decoded(pair.slice(at + 1))];
    }),
  );
}

/** The fields of an object of JSON: what holds more than one value stays the text that was sent, since its digits and order count. */
export function jsonFields(value: object, text: string): Readonly<Record<string, unknown>> {
  const texts = jsonMembers(text);
  return Object.fromEntries(
    Object.entries(value).map(([name, one]: [string, unknown]) => {
      const own = typeof one === 'object' && one !== null ? texts.get(name) : undefined;
      return [name, own === undefined ? one : new JsonText(own)];
    }),
  );
}

function decoded(text: string): string {
  const value = percentDecoded(text);
  if (value.startsWith('{') || value.startsWith('[')) checkExtent(Buffer.from(value));
  return value;
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch (cause) {
    const message =
      'the form holds a malformed percent encoding: "%" itself is sent as "%25", as curl does with --data-urlencode';
    throw new ApiError('decodePayload', message, { cause });
  }
}
