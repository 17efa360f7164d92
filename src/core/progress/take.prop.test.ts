import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { someIntervals } from '../../../test/support/some-intervals.ts';
import { judge, type ReaderPosition } from './take.ts';
import type { Run } from './intervals.ts';

const whole: ReaderPosition = {
  source: 4,
  intervals: [{ start: 0, end: null }],
  torn: { low: 0, end: 0 },
  awaits: false,
  fresh: false,
};

describe('what a reader does with an outcome', () => {
  test('D3: an outcome that ends at or below the position is a repeat, whichever mapper wrote it', () => {
    expect(judge(whole, { from: 3, to: 4 })).toEqual({ kind: 'repeat' });
    expect(judge(whole, { from: -1, to: 2 })).toEqual({ kind: 'repeat' });
  });

  test('D3: of a run that reaches back, only what is above the position counts', () => {
    expect(judge(whole, { from: 2, to: 7 })).toEqual({ kind: 'take', runs: [{ from: 4, to: 7 }], source: 7 });
  });

  test('a run is clipped to the intervals piece by piece; the position is the last offset inside', () => {
    const intervals = [
      { start: 0, end: 7 },
      { start: 10, end: 12 },
      { start: 15, end: null },
    ];
    expect(judge({ ...whole, intervals }, { from: 4, to: 13 })).toEqual({
      kind: 'take',
      runs: [
        { from: 4, to: 6 },
        { from: 9, to: 11 },
      ],
      source: 11,
    });
  });

  test('what lies between the intervals is dropped', () => {
    const intervals = [
      { start: 0, end: 5 },
      { start: 10, end: null },
    ];
    expect(judge({ ...whole, intervals }, { from: 4, to: 8 })).toEqual({ kind: 'outside' });
  });

  test('what lies past the last end is judged against a fresh document only: the sink may be enabled again', () => {
    const closed = { ...whole, intervals: [{ start: 0, end: 5 }] };
    expect(judge(closed, { from: 4, to: 5 })).toEqual({ kind: 'needsFreshDocument' });
    expect(judge({ ...closed, fresh: true }, { from: 4, to: 5 })).toEqual({ kind: 'outside' });
  });

  test('D2: a wanted offset without an outcome is a gap, judged against a fresh document only', () => {
    expect(judge(whole, { from: 6, to: 7 })).toEqual({ kind: 'needsFreshDocument' });
    expect(judge({ ...whole, fresh: true }, { from: 6, to: 7 })).toEqual({
      kind: 'gap',
      missing: [{ from: 4, to: 6 }],
    });
  });

  test('D2: behind a gap that is noted nothing is taken, because it is mapped again', () => {
    const noted = { ...whole, torn: { low: 3, end: 9 }, awaits: true, fresh: true };
    expect(judge(noted, { from: 6, to: 8 })).toEqual({ kind: 'ahead' });
    expect(judge({ ...noted, fresh: false }, { from: 6, to: 8 })).toEqual({ kind: 'needsFreshDocument' });
    expect(judge(noted, { from: 4, to: 5 })).toMatchObject({ kind: 'take', source: 5 });
  });

  test('D2: a gap that the source has lost, too, is a hole, and the outcome is taken after it', () => {
    const noted = { ...whole, torn: { low: 3, end: 9, lost: 7 }, awaits: true, fresh: true };
    const hole = { kind: 'hole', runs: [{ from: 4, to: 6 }], source: 6 };
    expect(judge(noted, { from: 6, to: 8 })).toEqual({
      ...hole,
      outcome: { kind: 'take', runs: [{ from: 6, to: 8 }], source: 8 },
    });
    expect(judge({ ...noted, awaits: false }, { from: 6, to: 8 })).toMatchObject(hole);
    expect(judge(noted, { from: 7, to: 8 }), 'the source has one of them').toEqual({ kind: 'ahead' });
  });

  test('D2: what reaches past the end of a note is a gap of its own: nothing says that it comes again', () => {
    const noted = { ...whole, torn: { low: 3, end: 9 }, awaits: true, fresh: true };
    expect(judge(noted, { from: 8, to: 9 })).toEqual({ kind: 'gap', missing: [{ from: 4, to: 8 }] });
  });

  test('D2: once something was taken a note explains no gap any more', () => {
    const passed = { ...whole, torn: { low: 3, end: 9 }, fresh: true };
    expect(judge(passed, { from: 6, to: 8 })).toEqual({ kind: 'gap', missing: [{ from: 4, to: 6 }] });
  });

  test('D2, D3: every wanted offset up to the outcome is taken or missing, once, and nothing else is', () => {
    const outcome = fc
      .tuple(fc.integer({ min: -1, max: 30 }), fc.integer({ min: 1, max: 8 }))
      .map(([from, length]) => ({ from, to: from + length }));
    const state = fc.tuple(fc.integer({ min: -1, max: 20 }), fc.nat({ max: 30 }), fc.boolean(), fc.nat({ max: 20 }));
    fc.assert(
      fc.property(someIntervals, state, outcome, (intervals, [source, end, awaits, lost], run) => {
        const verdict = judge({ source, intervals, torn: { low: 0, end, lost }, awaits, fresh: true }, run);
        if (verdict.kind === 'needsFreshDocument') throw new Error('it is fresh');
        const missing = verdict.kind === 'gap' ? verdict.missing : verdict.kind === 'hole' ? verdict.runs : [];
        const own = verdict.kind === 'hole' ? verdict.outcome : verdict;
        const taken = own.kind === 'take' ? own.runs : [];
        const isWanted = (offset: number): boolean =>
          intervals.some(({ start, end }) => offset >= start && (end === null || offset < end));
        const wanted = each({ from: source, to: run.to }).filter(isWanted);
        const decided = [...missing, ...taken].flatMap(each);
        const isBehindGap = wanted.some((offset) => offset <= run.from);
        expect(['gap', 'ahead', 'hole'].includes(verdict.kind)).toBe(run.to > source && isBehindGap);
        const until = { gap: run.from, ahead: source }[verdict.kind as string] ?? run.to;
        expect(decided).toEqual(wanted.filter((offset) => offset <= until));
        expect(taken.flatMap(each).every((offset) => offset > run.from)).toBe(true);
        const holes = verdict.kind === 'hole' ? missing : [];
        expect(holes.flatMap(each).every((offset) => offset < lost)).toBe(true);
        expect(own.kind === 'take' ? own.source : undefined).toBe(taken.flatMap(each).at(-1));
      }),
      { numRuns: 2000 },
    );
  });
});

function each({ from, to }: Run): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + 1 + index);
}
