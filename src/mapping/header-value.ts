/**
 * The value of one header by its name in small letters; undefined when there is none. The values of a repeated name are
 * joined in the order received, as in `canonicalHeaders`, without making the names of all others canonical.
 */
export function headerValue(headers: readonly string[], lowerName: string): string | undefined {
  const { length } = lowerName;
  const first = lowerName.charCodeAt(0) & caseless;
  let joined: string | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const name = headers[at] ?? '';
    if (name.length !== length || (name.charCodeAt(0) & caseless) !== first) continue;
    if (name !== lowerName && name.toLowerCase() !== lowerName) continue;
    const value = headers[at + 1] ?? '';
    joined = joined === undefined ? value : `${joined}${lowerName === 'cookie' ? '; ' : ', '}${value}`;
  }
  return joined;
}

/** Clears the bit that tells a small letter from a capital, and a little more: enough to pass over most other names. */
const caseless = 0x1f;
