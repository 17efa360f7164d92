import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Evaluation } from '../evaluation.ts';
import { defaultLimits } from '../limits.ts';
import { occurrences, pieces, replaced } from './text-search.ts';

const evaluation = (): Evaluation =>
  new Evaluation({ limits: defaultLimits, context: undefined, extVars: {}, natives: {} });

/** Of few letters, so that there is something to find; patterns on both sides of the length where the search changes. */
const text = fc.string({ unit: fc.constantFrom('a', 'a', 'a', 'b'), maxLength: 200 });
const pattern = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'a', 'b'), minLength: 1, maxLength: 20 }),
  fc.nat({ max: 30 }).map((length) => 'a'.repeat(length + 1)),
);

describe('search in strings', () => {
  it('finds each place where the pattern stands', () => {
    fc.assert(
      fc.property(text, pattern, (text, pattern) => {
        const places = Array.from(text, (_, at) => at).filter((at) => text.startsWith(pattern, at));
        expect(occurrences(text, pattern, evaluation())).toEqual(places);
      }),
    );
  });

  it('cuts and replaces like JavaScript', () => {
    fc.assert(
      fc.property(text, pattern, fc.string({ maxLength: 3 }), (text, pattern, to) => {
        expect(pieces(text, pattern, evaluation())).toEqual(text.split(pattern));
        expect(replaced(text, [pattern, to], evaluation())).toBe(text.split(pattern).join(to));
      }),
    );
  });
});
