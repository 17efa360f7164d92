import type { Evaluation } from '../evaluation.ts';

/**
 * Longer patterns are searched with the algorithm of Knuth, Morris and Pratt: the engine's own search takes time like
 * the product of both lengths for a text and a pattern made for it.
 */
const longestForEngine = 16;

/** Where `pattern` (not empty) begins in `text`, in UTF-16 units; occurrences may overlap. */
export function occurrences(text: string, pattern: string, evaluation: Evaluation): readonly number[] {
  evaluation.scan(text.length + pattern.length);
  if (pattern.length > longestForEngine) return searchLong(text, pattern, evaluation);
  const found: number[] = [];
  for (let at = text.indexOf(pattern); at >= 0; at = text.indexOf(pattern, at + 1)) found.push(at);
  evaluation.steps(found.length);
  return found;
}

/** Whether `pattern` stands in `text`; an empty one does. */
export function contains(text: string, pattern: string, evaluation: Evaluation): boolean {
  evaluation.scan(text.length + pattern.length);
  return pattern.length > longestForEngine ? searchLong(text, pattern, evaluation).length > 0 : text.includes(pattern);
}

/** The parts of `text` between the occurrences of `separator` (not empty) that do not overlap, from the left. */
export function pieces(text: string, separator: string, evaluation: Evaluation): readonly string[] {
  if (separator.length <= longestForEngine) {
    evaluation.scan(text.length);
    const parts = text.split(separator);
    evaluation.steps(parts.length);
    return parts;
  }
  return cut(text, separator, withoutOverlap(occurrences(text, separator, evaluation), separator.length));
}

/** `text` with `to` for each occurrence of `from` (not empty) that does not overlap another, from the left. */
export function replaced(text: string, [from, to]: readonly [string, string], evaluation: Evaluation): string {
  let at = from.length <= longestForEngine ? text.indexOf(from) : undefined;
  if (at === undefined) {
    const parts = pieces(text, from, evaluation);
    evaluation.text(text.length + (parts.length - 1) * (to.length - from.length));
    return parts.join(to);
  }
  let out = '';
  let start = 0;
  while (at >= 0) {
    evaluation.steps(1);
    out += text.slice(start, at) + to;
    if (out.length > evaluation.limits.textLength) evaluation.text(out.length);
    start = at + from.length;
    at = text.indexOf(from, start);
  }
  evaluation.text(out.length + text.length - start);
  return start === 0 ? text : out + text.slice(start);
}

/** The parts of `text` around the separators that stand at these places. */
export function cut(text: string, separator: string, places: readonly number[]): string[] {
  const parts: string[] = [];
  let from = 0;
  for (const place of places) {
    parts.push(text.slice(from, place));
    from = place + separator.length;
  }
  parts.push(text.slice(from));
  return parts;
}

/** Of places in order those that do not overlap, taken from the left. */
export function withoutOverlap(places: readonly number[], length: number): number[] {
  let free = 0;
  return places.filter((place) => {
    if (place < free) return false;
    free = place + length;
    return true;
  });
}

function searchLong(text: string, pattern: string, evaluation: Evaluation): readonly number[] {
  if (pattern.length > text.length) return [];
  evaluation.steps((text.length + pattern.length) >> 3);
  const borders = bordersOf(pattern);
  const found: number[] = [];
  let matched = 0;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    while (matched > 0 && pattern.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (pattern.charCodeAt(matched) === unit) matched++;
    if (matched === pattern.length) {
      found.push(index - matched + 1);
      matched = borders[matched - 1] ?? 0;
    }
  }
  return found;
}

/** For each prefix of the pattern the length of its longest proper prefix that is also its end. */
function bordersOf(pattern: string): Int32Array {
  const borders = new Int32Array(pattern.length);
  let length = 0;
  for (let index = 1; index < pattern.length; index++) {
    const unit = pattern.charCodeAt(index);
    while (length > 0 && pattern.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (pattern.charCodeAt(length) === unit) length++;
    borders[index] = length;
  }
  return borders;
}
