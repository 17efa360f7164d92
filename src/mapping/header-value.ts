/**
 * The value of one header, its name in any case; undefined when there is none. The values of a repeated name are joined in
 * the order received, as in `canonicalHeaders`, without making the names of all others canonical.
 */
export function headerValue(headers: readonly string[], name: string): string | undefined {
  const wanted = name.toLowerCase();
  let joined: string | undefined;
  for (let at = 0; at + 1 < headers.length; at += 2) {
    const candidate = headers[at] ?? '';
    if (candidate.length !== wanted.length || (candidate !== wanted && candidate.toLowerCase() !== wanted)) continue;
    const value = headers[at + 1] ?? '';
    joined = joined === undefined ? value : `${joined}${wanted === 'cookie' ? '; ' : ', '}${value}`;
  }
  return joined;
}
