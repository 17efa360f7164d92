/** A text that has commands in it, each as `millrace …` at the beginning of a command, with the program as a person calls it. */
export function asTyped(text: string, program: string): string {
  return text.replaceAll(/(?<=^\s*|["`$|&] ?)millrace (?=[a-z])/gm, () => `${program} `);
}
