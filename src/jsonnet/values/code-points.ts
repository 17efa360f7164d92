/** Strings of jsonnet are sequences of code points; those without surrogates, nearly all, take the quick ways here. */

const surrogate = /[\ud800-\udfff]/;

/** Whether indexes in UTF-16 units and in code points differ. Reads the whole string when they do not. */
export function hasSurrogates(text: string): boolean {
  return surrogate.test(text);
}

/** Length in code points. */
export function codePointLength(text: string): number {
  if (!hasSurrogates(text)) return text.length;
  let length = 0;
  for (let index = 0; index < text.length; index += unitsAt(text, index)) length++;
  return length;
}

/** The code points as strings of one each. */
export function codePoints(text: string): string[] {
  return hasSurrogates(text) ? Array.from(text) : text.split('');
}

/** The code point at an index in code points; `undefined` outside of the string. */
export function codePointAt(text: string, index: number): string | undefined {
  if (index < 0) return undefined;
  if (!hasSurrogates(text)) return text[index];
  const start = unitIndex(text, index);
  return start < text.length ? text.slice(start, start + unitsAt(text, start)) : undefined;
}

/** The part from code point `start` (0 or more) to before code point `end`. */
export function codePointSlice(text: string, start: number, end: number): string {
  if (!hasSurrogates(text)) return text.slice(start, Math.max(start, end));
  const from = unitIndex(text, start);
  return text.slice(from, from + unitIndex(text.slice(from), Math.max(0, end - start)));
}

/** Index in UTF-16 units of a code point, or the length of the text when there are fewer. */
function unitIndex(text: string, codePoint: number): number {
  let units = 0;
  for (let left = codePoint; left > 0 && units < text.length; left--) units += unitsAt(text, units);
  return units;
}

function unitsAt(text: string, index: number): number {
  const unit = text.charCodeAt(index);
  if (unit < 0xd800 || unit > 0xdbff) return 1;
  const low = text.charCodeAt(index + 1);
  return low >= 0xdc00 && low <= 0xdfff ? 2 : 1;
}
