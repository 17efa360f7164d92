import type { Evaluation } from '../evaluation.ts';
import { builtin, type Builtin } from './builtin.ts';
import { cut, occurrences, pieces, withoutOverlap } from './text-search.ts';

/** Strings cut at a separator, of which at most `maxsplits` are used; -1 stands for all. */
export const stringSplits: readonly Builtin[] = [
  builtin('split', ['str: string', 'c: string'], ([text, separator], evaluation) => {
    check('split', { separator, most: -1 }, evaluation);
    return counted(pieces(text, separator, evaluation), evaluation);
  }),
  builtin('splitLimit', ['str: string', 'c: string', 'maxsplits: number'], ([text, separator, most], evaluation) => {
    check('splitLimit', { separator, most }, evaluation);
    if (most === -1) return counted(pieces(text, separator, evaluation), evaluation);
    const places = withoutOverlap(occurrences(text, separator, evaluation), separator.length);
    return counted(cut(text, separator, places.slice(0, most)), evaluation);
  }),
  builtin('splitLimitR', ['str: string', 'c: string', 'maxsplits: number'], ([text, separator, most], evaluation) => {
    check('splitLimitR', { separator, most }, evaluation);
    const found = occurrences(text, separator, evaluation);
    const places = fromTheRight(found, { length: separator.length, most: most === -1 ? Infinity : most });
    return counted(cut(text, separator, places), evaluation);
  }),
];

function check(name: string, { separator, most }: { separator: string; most: number }, evaluation: Evaluation): void {
  if (separator === '') {
    throw evaluation.error(`std.${name} second parameter must have length 1 or greater, got 0`);
  }
  if (!Number.isInteger(most)) throw evaluation.error(`std.${name}: Expected an integer, but got ${most}`);
  if (most < -1) throw evaluation.error(`std.${name} third parameter should be -1 or non-negative, got ${most}`);
}

function counted(parts: readonly string[], evaluation: Evaluation): readonly string[] {
  evaluation.array(parts.length);
  return parts;
}

/** Of places in order the last ones, up to `most`, that do not overlap, taken from the right; in order again. */
function fromTheRight(places: readonly number[], { length, most }: { length: number; most: number }): number[] {
  const taken: number[] = [];
  let free = Infinity;
  for (let index = places.length - 1; index >= 0 && taken.length < most; index--) {
    const place = places[index] ?? 0;
    if (place + length > free) continue;
    taken.push(place);
    free = place;
  }
  return taken.toReversed();
}
