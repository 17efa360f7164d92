/**
 * The flat list of headers as it would have come with the decoded body (A45): without `Content-Encoding`, and with the
 * length of that body where `Content-Length` tells one.
 */
export function decodedHeaders(raw: readonly string[], bodyBytes: number): readonly string[] {
  const kept: string[] = [];
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const [name = '', value = ''] = [raw[at], raw[at + 1]];
    const lower = name.toLowerCase();
    if (lower !== 'content-encoding') kept.push(name, lower === 'content-length' ? String(bodyBytes) : value);
  }
  return kept;
}
