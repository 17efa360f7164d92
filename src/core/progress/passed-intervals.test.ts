import { expect, it } from 'vitest';
import { allowed, endsAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { limits } from '../limits.ts';
import { isWanted, knownIntervals } from './passed-intervals.ts';
import { seal } from './seal.ts';
import { entryOf, type SinkProgress } from './sink-progress.ts';
import { close, open } from './switch.ts';

/** Takes everything that is wanted up to an offset as rows. */
function taken(progress: SinkProgress, to: number): SinkProgress {
  const base = entryOf(progress, 0);
  const rows = knownIntervals(progress, 0)
    .intervals.map(({ start, end }) => Math.min(end ?? to + 1, to + 1) - Math.max(start, base.source + 1))
    .reduce((sum, count) => sum + Math.max(0, count), 0);
  const slice = sliceOf({ id: `s${to}`, from: base.source, to, rows });
  const counts = { filtered: 0, holes: 0, none: 0 };
  return allowed(
    seal(progress, { partition: 0, base, sink: base.sink + rows, source: to, slice, stamp: 1, ...counts }),
  );
}

/** Disabled at one end and enabled at another. */
function switched(progress: SinkProgress, from: number, to: number): SinkProgress {
  return allowed(open(allowed(close(progress, endsAt(from), { deleted: false })), endsAt(to)));
}

const wanted = (progress: SinkProgress, ...offsets: readonly number[]): readonly (boolean | undefined)[] =>
  offsets.map((offset) => isWanted(knownIntervals(progress, 0), offset));

it('W6: a sink knows which offsets it wanted after it has passed them, however often it was switched', () => {
  const before = switched(switched(progressOf(2), 4, 6), 8, 10);
  for (const progress of [before, taken(before, 7), taken(taken(before, 3), 11), switched(taken(before, 7), 12, 14)])
    expect(wanted(progress, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10)).toEqual([
      false,
      true,
      true,
      false,
      false,
      true,
      true,
      false,
      false,
      true,
    ]);
  expect(entryOf(taken(before, 11), 0).intervals).toEqual([{ start: 10, end: null }]);
});

it('W6: intervals that were passed before releases kept them make the rest unknown, not unwanted', () => {
  const { passedIntervals: _, ...older } = taken(switched(progressOf(2), 4, 6), 7);
  expect(wanted(older, 1, 3, 5, 6)).toEqual([undefined, undefined, undefined, true]);
});

it('D8: as many passed intervals are kept as may be, the newest; those that touch are one', () => {
  let progress = progressOf(0);
  for (let at = 1; at <= limits.passedIntervals + 5; at += 1)
    progress = taken(switched(progress, 10 * at, 10 * at + 5), 10 * at + 5);
  expect(progress.passedIntervals?.['0']).toHaveLength(limits.passedIntervals);
  expect(wanted(progress, 3, 12, 10 * limits.passedIntervals + 7)).toEqual([undefined, undefined, true]);
  const touching = taken(switched(taken(progressOf(0), 3), 4, 4), 5);
  expect(touching.passedIntervals?.['0']).toEqual([{ start: 0, end: 4 }]);
  expect(taken(switched(touching, 6, 6), 7).passedIntervals?.['0']).toEqual([{ start: 0, end: 6 }]);
});
