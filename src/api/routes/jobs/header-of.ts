/** The value of a header out of the flat list of a request; `name` in small letters. The last one counts. */
export function headerOf(headers: readonly string[], name: string): string | undefined {
  const at = headers.findLastIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
  return at < 0 ? undefined : headers[at + 1];
}
