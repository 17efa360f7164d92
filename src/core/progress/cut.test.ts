import { describe, expect, test } from 'vitest';
import { allowed, endsAt, progressOf } from '../../../test/support/progress-of.ts';
import { cutBelow, noteCut } from './cut.ts';
import { entryOf } from './sink-progress.ts';
import { beginsAfter, close, lastEnds, open } from './switch.ts';

const place = { position: 9, epoch: 4 };

describe('what was read in an epoch', () => {
  test('D2: is there while its epoch, over or not, ends behind it', () => {
    expect(cutBelow(place, { epoch: 4, end: 10 })).toBeUndefined();
    expect(cutBelow(place, { epoch: 4, end: 100 })).toBeUndefined();
  });

  test('D2, D3: has gone where its epoch ends at or before it, however far the log has grown since', () => {
    expect(cutBelow(place, { epoch: 4, end: 9 })).toBe(9);
    expect(cutBelow(place, { epoch: 4, end: 0 })).toBe(0);
  });

  test('D2, D3: has gone where the log has nothing of its epoch, though it has the offset of an earlier one', () => {
    expect(cutBelow(place, { epoch: 3, end: 20 })).toBe(20);
  });
});

describe('a source that is known to be cut', () => {
  const cut = allowed(noteCut(progressOf(3), { partition: 0, cut: 5 }));

  test('is noted once, and moves nothing', () => {
    expect(entryOf(cut, 0)).toEqual({ ...entryOf(progressOf(3), 0), cut: 5 });
    expect(noteCut(cut, { partition: 0, cut: 4 })).toMatchObject({ kind: 'refused' });
  });

  test('D2, D3: its sinks are neither disabled nor enabled, however far it has grown', () => {
    expect(() => close(cut, endsAt(100), { deleted: false })).toThrow('has lost what it held from offset 5 on');
    const closed = allowed(
      noteCut(allowed(close(progressOf(3), endsAt(10), { deleted: false })), { partition: 0, cut: 5 }),
    );
    expect(() => open(closed, endsAt(100))).toThrow('has lost what it held from offset 5 on');
  });

  test('D2: a deleted sink ends behind what it has outcomes for', () => {
    const ends = lastEnds(cut, endsAt(100), new Map([[0, 12]]));
    const deleted = allowed(close(cut, ends, { deleted: true }));
    expect(entryOf(deleted, 0).intervals).toEqual([{ start: 3, end: 12 }]);
  });

  test('D2: the next incarnation begins at the stable end, because the offsets behind it were never taken', () => {
    const stable = new Map([[0, 7]]);
    const deleted = allowed(
      noteCut(allowed(close(progressOf(3), endsAt(10), { deleted: true })), { partition: 0, cut: 5 }),
    );
    expect(beginsAfter(deleted, { ...endsAt(12), stable })).toEqual(stable);
  });
});
