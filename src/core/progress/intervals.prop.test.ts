import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { someIntervals } from '../../../test/support/some-intervals.ts';
import { countOffsets, inside, isBeyond, nextWanted, type Interval } from './intervals.ts';

const highest = 50;

function isInside(intervals: readonly Interval[], offset: number): boolean {
  return intervals.some(({ start, end }) => offset >= start && (end === null || offset < end));
}

function offsets(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + 1 + index);
}

const run = fc
  .tuple(fc.integer({ min: -1, max: 40 }), fc.nat({ max: 9 }))
  .map(([from, length]) => ({ from, to: from + length }));

test('the next wanted offset is the first one above that lies in an interval', () => {
  fc.assert(
    fc.property(someIntervals, fc.integer({ min: -1, max: 40 }), (intervals, offset) => {
      const expected = offsets(offset, highest).find((one) => isInside(intervals, one));
      expect(nextWanted(intervals, offset)).toBe(expected);
    }),
  );
});

test('the parts of a run inside the intervals are exactly its offsets that lie in one', () => {
  fc.assert(
    fc.property(someIntervals, run, (intervals, { from, to }) => {
      const parts = inside(intervals, { from, to });
      const expected = offsets(from, to).filter((one) => isInside(intervals, one));
      expect(parts.flatMap((part) => offsets(part.from, part.to))).toEqual(expected);
      expect(countOffsets(parts)).toBe(expected.length);
    }),
  );
});

test('an offset is beyond when every interval ends at or below it', () => {
  fc.assert(
    fc.property(someIntervals, fc.nat({ max: 40 }), (intervals, offset) => {
      expect(isBeyond(intervals, offset)).toBe(intervals.every(({ end }) => end !== null && end <= offset));
    }),
    { examples: [[[{ start: 2, end: 5 }], 5]] },
  );
});

test('runs may be millions long', () => {
  expect(inside([{ start: 5, end: null }], { from: -1, to: 10 ** 12 })).toEqual([{ from: 4, to: 10 ** 12 }]);
});
