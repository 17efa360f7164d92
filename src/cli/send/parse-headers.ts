import { validateHeaderName, validateHeaderValue } from 'node:http';
import { MillraceError } from '../../core/millrace-error.ts';

export interface HeaderOptions {
  /** Absent: none, unless a header says it. */
  readonly contentType?: string;
  /** Each `Name: value`. */
  readonly header: readonly string[];
}

/** The headers of every request by name, in the spelling given first; a name that comes again has several values. */
export function parseHeaders({ contentType, header }: HeaderOptions): Readonly<Record<string, readonly string[]>> {
  const values = new Map<string, { readonly name: string; readonly values: string[] }>();
  const given = header.map(parseHeader);
  const isTyped = given.some(({ name }) => name.toLowerCase() === 'content-type');
  const type = isTyped || contentType === undefined ? [] : [parseHeader(`Content-Type: ${contentType}`)];
  for (const { name, value } of [...given, ...type]) {
    const key = name.toLowerCase();
    const known = values.get(key);
    if (known === undefined) values.set(key, { name, values: [value] });
    else known.values.push(value);
  }
  return Object.fromEntries([...values.values()].map((one) => [one.name, one.values]));
}

function parseHeader(text: string): { readonly name: string; readonly value: string } {
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
  return { name, value };
}
