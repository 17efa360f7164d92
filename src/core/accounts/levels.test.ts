import { describe, expect, test } from 'vitest';
import { allowed, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { conserve } from './conservation.ts';
import { finishImport, startImport } from '../progress/import.ts';
import { addLevels, levelOfSlices, localLevel, meets, targetLevel, type TakenLines } from './levels.ts';
import { seal } from '../progress/seal.ts';
import { entryOf, heldSlices, noTotals } from '../progress/sink-progress.ts';
import { importedStatistics } from '../progress/statistics.ts';

const lines = (given: Partial<TakenLines> & Pick<TakenLines, 'from' | 'to'>): TakenLines => ({
  partition: 0,
  rows: given.to - given.from,
  dead: 0,
  rowBytes: 10 * (given.to - given.from),
  firstArrival: 100 + given.from,
  lastArrival: 100 + given.to,
  ...given,
});

describe('the level before staging', () => {
  const ends = new Map([
    [0, 20],
    [1, 5],
  ]);
  const progress = progressOf(0, 2);

  test('D4: counts lines that were taken, and every accepted event that was not', () => {
    expect(localLevel(progress, ends, [])).toEqual({ rows: 23, dead: 0, bytes: 0 });
    const taken = [lines({ from: -1, to: 4 }), lines({ from: 4, to: 9, rows: 2, dead: 1, rowBytes: 20 })];
    expect(localLevel(progress, ends, taken)).toEqual({
      rows: 5 + 2 + 10 + 3,
      dead: 1,
      bytes: 70,
      firstArrival: 99,
      lastArrival: 109,
    });
  });

  test('D4: what was sealed between the two reads counts once', () => {
    const taken = [lines({ from: -1, to: 4 }), lines({ from: 4, to: 9 })];
    const base = entryOf(progress, 0);
    const slice = sliceOf({ id: 'a', from: -1, to: 4 });
    const after = allowed(
      seal(progress, { partition: 0, base, sink: 5, source: 4, filtered: 0, holes: 0, none: 0, slice, stamp: 1 }),
    );
    const level = localLevel(after, ends, taken);
    expect(level).toMatchObject({ rows: 15 + 3, bytes: 50, firstArrival: 104 });
    expect(addLevels(level, levelOfSlices(heldSlices(after))).rows).toBe(localLevel(progress, ends, taken).rows);
    expect(meets(after, taken)).toBe(true);
  });

  test('a document that has moved past what was taken is noticed', () => {
    expect(meets(progress, [])).toBe(true);
    expect(meets(progress, [lines({ from: -1, to: 4 })])).toBe(true);
    const moved = { ...progress, entries: { ...progress.entries, 0: { ...entryOf(progress, 0), source: 7 } } };
    expect(meets(moved, [lines({ from: -1, to: 4 }), lines({ from: 4, to: 6 })])).toBe(false);
    expect(localLevel(moved, ends, [lines({ from: -1, to: 4 })])).toMatchObject({ rows: 12 + 3, bytes: 0 });
  });
});

test('D4: the levels of a sink add up to what it accepted, less what becomes no row', () => {
  const ends = new Map([[0, 12]]);
  let progress = progressOf(0);
  const sealTo = (source: number, filtered: number, dead: number) => {
    const base = entryOf(progress, 0);
    const rows = source - base.source - filtered - dead;
    const slice = sliceOf({ id: `s${source}`, from: base.source, to: source, rows, dead });
    const change = { partition: 0, base, sink: source + 1, source, filtered, holes: 0, none: 0, slice, stamp: 1 };
    progress = allowed(seal(progress, change));
  };
  sealTo(3, 1, 0);
  progress = allowed(startImport(progress, { id: 'i', at: 1 }));
  progress = allowed(finishImport(progress, { number: 1, id: 'i' }, 2));
  sealTo(8, 0, 2);
  const { accepted, filtered } = conserve(progress, 0, { end: 12 });
  const total = [
    localLevel(progress, ends, []),
    levelOfSlices(heldSlices(progress)),
    targetLevel(importedStatistics(progress)),
  ].reduce(addLevels);
  expect(total.rows + total.dead + filtered).toBe(accepted);
});

test('of rows that an earlier version imported the first arrival is not known', () => {
  const old = { ...progressOf(0), totals: { 0: { ...noTotals, rows: 5 } } };
  expect(targetLevel(importedStatistics(old))).toEqual({ rows: 5, dead: 0, bytes: 0 });
  const running = allowed(startImport({ ...old, staged: [sliceOf({ id: 'a', from: 4, to: 5 })] }, { id: 'i', at: 1 }));
  const after = allowed(finishImport(running, { number: 1, id: 'i' }, 2));
  expect(targetLevel(importedStatistics(after))).toEqual({ rows: 6, dead: 0, bytes: 10, lastArrival: 0 });
});
