import { describe, expect, test } from 'vitest';
import { allowed, madeAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { limits } from '../limits.ts';
import { clearFlush, flushEnd, isDelivered, requestFlush, wantsImport } from './flush.ts';
import { abandonImport, finishImport, importable, startImport } from './import.ts';
import { judgeLedger } from './ledger.ts';
import { giveUp, park, unpark } from './parked.ts';
import { totalsOf, type SinkProgress, type StagedSlice } from './sink-progress.ts';

const start = { id: 'i1', at: 5 };
const attempt = { number: 1, id: 'i1' };
const a = sliceOf({ id: 'a', from: -1, to: 1 });
const b = sliceOf({ id: 'b', from: 1, to: 2, rows: 0, dead: 1 });
const c = sliceOf({ id: 'c', from: 2, to: 4, mappingVersion: 2 });

function staged(...slices: readonly StagedSlice[]): SinkProgress {
  return { ...progressOf(0), staged: slices };
}

const ids = (slices: readonly StagedSlice[]): readonly string[] => slices.map(({ id }) => id);

describe('imports', () => {
  test('D7: an import takes slices of the first mapping version, in order', () => {
    const running = allowed(startImport(staged(a, b, c), start));
    expect(running.importing).toEqual({ number: 1, id: 'i1', slices: [a, b], startedAt: 5, openedAt: madeAt });
    expect(ids(running.staged)).toEqual(['c']);
  });

  test('D8: an import takes at most so many slices', () => {
    const many = Array.from({ length: limits.slicesPerImport + 1 }, (_, index) =>
      sliceOf({ id: `s${index}`, from: 0, to: 1 }),
    );
    expect(importable(staged(...many))).toHaveLength(limits.slicesPerImport);
  });

  test('one import runs at a time', () => {
    const running = allowed(startImport(staged(a, c), start));
    expect(startImport(running, start)).toHaveProperty('reason');
    expect(startImport(staged(), start)).toHaveProperty('reason');
  });

  test('D4: a finished import is counted once, and only under its number', () => {
    const running = allowed(startImport(staged(a, b), start));
    expect(finishImport(running, { number: 2, id: 'i1' }, 9)).toMatchObject({ outdated: true });
    const done = allowed(finishImport(running, attempt, 9));
    expect(totalsOf(done, 0)).toMatchObject({ rows: 2, dead: 1 });
    expect(done).toMatchObject({ nextImport: 2, lastImport: { number: 1, at: 9, rows: 2, dead: 1, bytes: 20 } });
    expect(finishImport(done, attempt, 9)).toHaveProperty('reason');
  });

  test('D3: a verdict ends its own attempt only, not the one that has its number after a restore', () => {
    const running = allowed(startImport(staged(a, b), { id: 'restored', at: 6 }));
    expect(finishImport(running, attempt, 9)).toMatchObject({ outdated: true });
    expect(abandonImport(running, attempt)).toMatchObject({ outdated: true });
  });

  test('D2: an import that was given up puts its slices back in front, under the next number', () => {
    const running = allowed(startImport(staged(a, b, c), start));
    const back = allowed(abandonImport(running, attempt));
    expect(ids(back.staged)).toEqual(['a', 'b', 'c']);
    expect(back).toMatchObject({ nextImport: 2, staged: [{ together: 1 }, { together: 1 }, { id: 'c' }] });
    expect(back.importing).toBeUndefined();
    expect(abandonImport(back, attempt)).toHaveProperty('reason');
  });

  test('D6: slices of a version that does not fit are parked; later ones go on, and they come back in order', () => {
    const parked = allowed(park(staged(a, b, c), { mappingVersion: 1, at: 7 }));
    expect(ids(parked.staged)).toEqual(['c']);
    expect(parked.parked).toMatchObject([{ id: 'a', parkedAt: 7 }, { id: 'b' }]);
    expect(allowed(unpark(parked, 1))).toEqual(staged(a, b, c));
    expect(park(parked, { mappingVersion: 1, at: 8 })).toHaveProperty('reason');
    expect(unpark(parked, 2)).toHaveProperty('reason');
  });

  test('D4: what is given up is counted, staged or parked, but never out of a running import', () => {
    const parked = allowed(park(staged(a, c), { mappingVersion: 1, at: 7 }));
    expect(totalsOf(allowed(giveUp(parked, 'a')), 0).givenUp).toBe(2);
    expect(totalsOf(allowed(giveUp(staged(b), 'b')), 0).givenUp).toBe(1);
    expect(giveUp(allowed(startImport(staged(a), start)), 'a')).toHaveProperty('reason');
  });
});

describe('the ledger', () => {
  const row = { number: 3, id: 'x', verdict: 'loaded' } as const;

  test('D3: it moves by one', () => expect(judgeLedger(row, { number: 4, id: 'y' })).toEqual({ kind: 'move' }));

  test('D3: an attempt that has been decided loads nothing and learns its verdict', () => {
    expect(judgeLedger(row, { number: 3, id: 'x' })).toEqual({ kind: 'decided', verdict: 'loaded' });
    const abandoned = { ...row, verdict: 'abandoned' } as const;
    expect(judgeLedger(abandoned, { number: 3, id: 'x' })).toEqual({ kind: 'decided', verdict: 'abandoned' });
  });

  test('D3: anything else stops with an alarm, a missing row too', () => {
    for (const attempt of [
      { number: 3, id: 'other' },
      { number: 2, id: 'x' },
      { number: 5, id: 'y' },
    ])
      expect(judgeLedger(row, attempt)).toEqual({ kind: 'mismatch' });
    expect(judgeLedger(undefined, { number: 1, id: 'x' })).toEqual({ kind: 'mismatch' });
  });
});

describe('flush', () => {
  const passedTo = (progress: SinkProgress, source: number): SinkProgress => ({
    ...progress,
    entries: { 0: { sink: 0, source, intervals: [{ start: 0, end: null }], torn: { low: 0, end: 0 } } },
  });

  test('asking twice takes the higher ends', () => {
    const once = requestFlush(progressOf(0, 0), new Map([[0, 5]]));
    expect(
      requestFlush(
        once,
        new Map([
          [0, 3],
          [1, 2],
        ]),
      ).flush,
    ).toEqual({ 0: 5, 1: 2 });
  });

  test('stage is asked until everything below the end is decided', () => {
    const asked = requestFlush(progressOf(0), new Map([[0, 5]]));
    expect(flushEnd(asked, 0)).toBe(5);
    expect(flushEnd(passedTo(asked, 4), 0)).toBeUndefined();
    expect(flushEnd(asked, 1)).toBeUndefined();
  });

  test('import is asked while a slice may hold what lies below the ends', () => {
    const asked = requestFlush(staged(a, c), new Map([[0, 3]]));
    expect(wantsImport(asked)).toBe(true);
    expect(wantsImport({ ...asked, staged: [c] })).toBe(false);
    expect(wantsImport(staged(a))).toBe(false);
  });

  test('it is served when everything below the ends is in the table, not before', () => {
    const asked = requestFlush(progressOf(0), new Map([[0, 2]]));
    expect(clearFlush(asked)).toHaveProperty('reason');
    const passed = passedTo(asked, 1);
    expect(clearFlush({ ...passed, staged: [a] })).toHaveProperty('reason');
    expect(clearFlush({ ...passed, parked: [{ ...a, parkedAt: 0 }] })).toHaveProperty('reason');
    expect(
      isDelivered({ ...passed, importing: { number: 1, id: 'i', slices: [a], startedAt: 0 } }, new Map([[0, 2]])),
    ).toBe(false);
    expect(allowed(clearFlush({ ...passed, staged: [c] })).flush).toBeUndefined();
    expect(clearFlush(progressOf(0))).toHaveProperty('reason');
  });

  test('nothing is wanted of a closed sink: it is served at once', () => {
    const closed = { ...progressOf(0), entries: {}, open: false };
    expect(isDelivered(closed, new Map([[0, 9]]))).toBe(true);
  });
});
