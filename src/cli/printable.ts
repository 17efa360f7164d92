import stringWidth from 'string-width';

/** A joiner between the parts of one emoji is none of them. */
const controls =
  /(?!(?<=[\p{Emoji_Modifier}\p{Extended_Pictographic}\ufe0f])\u200d\p{Extended_Pictographic})[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;
const names: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

const graphemes = new Intl.Segmenter();
/** So many units of UTF-16 for each column are enough for whatever is shown in it. */
const unitsPerColumn = 8;

/**
 * Text of unknown origin, safe for a terminal: control characters, which could move the cursor or hide text, become
 * visible escapes; wider than `width` columns it is cut with an ellipsis.
 */
export function printable(text: string, width = Number.POSITIVE_INFINITY): string {
  const short = text.length > width * unitsPerColumn ? text.slice(0, Math.max(0, width) * unitsPerColumn) : text;
  const visible = short.replaceAll(controls, (character) => names[character] ?? escape(character));
  if (short === text && columnsOf(visible) <= width) return visible;
  let kept = '';
  let columns = 0;
  for (const { segment } of graphemes.segment(visible)) {
    columns += columnsOf(segment);
    if (columns > width - 1) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** The columns of a terminal that a text without control characters takes: two for a wide character. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

function escape(character: string): string {
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`;
}
