/** Characters that move the cursor of a terminal, or change what a person sees, but for those that lay out a text. */
const hidden = /(?![\n\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u;
const allHidden = new RegExp(hidden, 'gu');

/** C0 and C1 controls, marks of direction (bidi) and other format characters, separators of lines and paragraphs. */
export function hasHiddenText(text: string): boolean {
  return hidden.test(text);
}

/** The same text in JSON, or in double quotes of YAML, where such a character may stand as `\u202e`. */
export function withoutHiddenText(quoted: string): string {
  return quoted.replaceAll(allHidden, (character) =>
    Array.from({ length: character.length }, (_, at) => escapeOf(character.charCodeAt(at))).join(''),
  );
}

function escapeOf(unit: number): string {
  return `\\u${unit.toString(16).padStart(4, '0')}`;
}
