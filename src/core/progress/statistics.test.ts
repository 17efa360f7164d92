import { describe, expect, test } from 'vitest';
import { allowed, madeAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { abandonImport, finishImport, startImport } from './import.ts';
import { noTotals, totalsOf, type SinkProgress, type StagedSlice } from './sink-progress.ts';
import { clearStatistics, importedStatistics } from './statistics.ts';

const early = sliceOf({ id: 'a', from: -1, to: 1, firstArrival: 100, lastArrival: 150 });
const late = sliceOf({
  id: 'b',
  from: 1,
  to: 4,
  rows: 2,
  dead: 1,
  deadObject: { name: 'b.dead', bytes: 7 },
  firstArrival: 90,
  lastArrival: 400,
});

function staging(progress: SinkProgress, ...slices: readonly StagedSlice[]): SinkProgress {
  return allowed(startImport({ ...progress, staged: slices }, { id: 'i', at: 500 }));
}

function imported(progress: SinkProgress, ...slices: readonly StagedSlice[]): SinkProgress {
  const running = staging(progress, ...slices);
  return allowed(finishImport(running, { number: running.nextImport, id: 'i' }, 600));
}

describe('statistics of what was imported', () => {
  test('D4: rows, dead letters, bytes of the rows, first and last arrival are exact over all imports', () => {
    expect(importedStatistics(progressOf(0))).toEqual({ rows: 0, dead: 0, bytes: 0, unsized: 0, fromImport: 1 });
    const one = imported(progressOf(0), early);
    expect(one.imported).toEqual({
      rows: 2,
      dead: 0,
      bytes: 20,
      firstArrival: 100,
      lastArrival: 150,
      unsized: 0,
      fromImport: 1,
    });
    expect(imported(one, late).imported).toEqual({
      rows: 4,
      dead: 1,
      bytes: 40,
      firstArrival: 90,
      lastArrival: 400,
      unsized: 0,
      fromImport: 1,
    });
  });

  test('the last import keeps what its slices held together', () => {
    expect(imported(progressOf(0), early, late).lastImport).toEqual({
      number: 1,
      at: 600,
      startedAt: 500,
      openedAt: madeAt,
      rows: 4,
      dead: 1,
      bytes: 47,
      rowBytes: 40,
      firstArrival: 90,
      lastArrival: 400,
    });
  });

  test('D4: an import that was given up counts for nothing', () => {
    const running = staging(progressOf(0), early);
    expect(allowed(abandonImport(running, { number: 1, id: 'i' })).imported).toBeUndefined();
  });

  test('a document of an earlier version counts its rows, and knows of how many it has no bytes', () => {
    const old = { ...progressOf(0, 0), totals: { 0: { ...noTotals, rows: 5 }, 1: { ...noTotals, rows: 2, dead: 3 } } };
    expect(importedStatistics(old)).toEqual({ rows: 7, dead: 3, bytes: 0, unsized: 7, fromImport: 1 });
    expect(imported(old, early).imported).toMatchObject({ rows: 9, dead: 3, bytes: 20, unsized: 7, firstArrival: 100 });
  });
});

describe('statistics that are cleared', () => {
  test('D4: count anew, and the totals of conservation stay', () => {
    const before = imported(progressOf(0), early);
    const cleared = allowed(clearStatistics(before));
    expect(cleared).toEqual({ ...before, imported: { rows: 0, dead: 0, bytes: 0, unsized: 0, fromImport: 2 } });
    expect(totalsOf(cleared, 0).rows).toBe(2);
    expect(imported(cleared, late)).toMatchObject({
      imported: { rows: 2, dead: 1, bytes: 20, firstArrival: 90, lastArrival: 400, fromImport: 2 },
      totals: { 0: { rows: 4, dead: 1 } },
    });
  });

  test('what a running import loads is counted after that, and the import is one of before', () => {
    const running = staging(imported(progressOf(0), early), late);
    const cleared = allowed(clearStatistics(running));
    expect(cleared.imported).toMatchObject({ rows: 0, fromImport: 3 });
    const done = allowed(finishImport(cleared, { number: 2, id: 'i' }, 700));
    expect(done.imported).toMatchObject({ rows: 2, dead: 1, fromImport: 3 });
    const back = allowed(abandonImport(cleared, { number: 2, id: 'i' }));
    expect(back.nextImport).toBe(3);
  });

  test('clearing again changes nothing; rows of an earlier version are cleared, too', () => {
    const old = { ...progressOf(0), totals: { 0: { ...noTotals, rows: 5 } } };
    const cleared = allowed(clearStatistics(old));
    expect(importedStatistics(cleared)).toMatchObject({ rows: 0, unsized: 0 });
    expect(clearStatistics(cleared)).toHaveProperty('reason');
  });
});
