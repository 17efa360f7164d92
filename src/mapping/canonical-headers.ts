/** `content-type` as `Content-Type`: each word between dashes begins with a capital, the rest is small. */
export function canonicalHeaderName(name: string): string {
  return name.toLowerCase().replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase());
}

/**
 * Headers by canonical name, in ascending order of the names. The values of a repeated name are joined in the order
 * received, with `, `, those of `Cookie` with `; `.
 */
export function canonicalHeaders(headers: readonly string[]): ReadonlyMap<string, string> {
  const joined = new Map<string, string>();
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = canonicalHeaderName(headers[at] ?? '');
    const value = headers[at + 1] ?? '';
    const before = joined.get(name);
    joined.set(name, before === undefined ? value : `${before}${name === 'Cookie' ? '; ' : ', '}${value}`);
  }
  return new Map([...joined].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The text of a `headers` column: a JSON object, `<`, `>`, `&`, U+2028 and U+2029 escaped. */
export function headersJson(headers: ReadonlyMap<string, string>): string {
  const members: string[] = [];
  for (const [name, value] of headers) members.push(`${quotedHeader(name)}:${quotedHeader(value)}`);
  return `{${members.join(',')}}`;
}

/** A JSON string as `headers` columns have it. */
export function quotedHeader(text: string): string {
  if (/^[ !#-%'-;=?-[\]-~]*$/.test(text)) return `"${text}"`;
  return JSON.stringify(text).replaceAll(/[<>&\u2028\u2029]/g, escapeCharacter);
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
