const controls = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const names: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Text of unknown origin, safe for a terminal: control characters, which could move the cursor or hide text, become
 * visible escapes; longer than `width` it is cut with an ellipsis.
 */
export function printable(text: string, width = Number.POSITIVE_INFINITY): string {
  const short = text.length > width ? text.slice(0, Math.max(0, width) * 2) : text;
  const visible = short.replaceAll(controls, (character) => names[character] ?? escape(character));
  const characters = Array.from(visible);
  if (characters.length <= width && short === text) return visible;
  return `${characters.slice(0, Math.max(0, width - 1)).join('')}…`;
}

function escape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
