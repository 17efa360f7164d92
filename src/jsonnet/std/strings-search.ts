import { hasSurrogates } from '../values/code-points.ts';
import { builtin, type Builtin } from './builtin.ts';
import { occurrences, replaced } from './text-search.ts';

/** Strings within strings. */
export const stringSearch: readonly Builtin[] = [
  builtin('startsWith', ['a: string', 'b: string'], ([text, start], evaluation) => {
    evaluation.scan(start.length);
    return text.startsWith(start);
  }),
  builtin('endsWith', ['a: string', 'b: string'], ([text, end], evaluation) => {
    evaluation.scan(end.length);
    return text.endsWith(end);
  }),
  builtin('findSubstr', ['pat: string', 'str: string'], ([pattern, text], evaluation) => {
    if (pattern === '') return [];
    const found = occurrences(text, pattern, evaluation);
    evaluation.array(found.length);
    return hasSurrogates(text) ? inCodePoints(text, found) : found;
  }),
  builtin('strReplace', ['str: string', 'from: string', 'to: string'], ([text, from, to], evaluation) => {
    if (from === '') throw evaluation.error("std.strReplace: 'from' string must not be zero length.");
    return replaced(text, [from, to], evaluation);
  }),
];

/** Indexes in UTF-16 units, in order, as indexes in code points. */
function inCodePoints(text: string, indexes: readonly number[]): number[] {
  let units = 0;
  let codePoints = 0;
  return indexes.map((index) => {
    while (units < index) {
      units += (text.codePointAt(units) ?? 0) > 0xffff ? 2 : 1;
      codePoints++;
    }
    return codePoints;
  });
}
