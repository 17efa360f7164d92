/** A text from outside in a message: at most `length` characters of it. */
export function shortened(text: string, length: number): string {
  return text.length <= length ? text : `${text.slice(0, length)}…`.toWellFormed();
}
