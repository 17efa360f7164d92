/** A word as a POSIX shell must read it: quoted where it holds more than letters, digits and harmless signs. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`;
}
