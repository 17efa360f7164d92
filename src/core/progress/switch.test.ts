import { describe, expect, test } from 'vitest';
import { allowed, endsAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { limits } from '../limits.ts';
import { entryOf } from './sink-progress.ts';
import { parseTableId } from '../table-id.ts';
import { beginsAfter, changeMapping, close, erase, isSpent, lastEnds, open } from './switch.ts';

const disable = { deleted: false };

describe('disable and enable', () => {
  test('disabling sets the end and leaves the position: what was accepted is still delivered', () => {
    const closed = allowed(close(progressOf(3), endsAt(10), disable));
    expect(closed.open).toBe(false);
    expect(entryOf(closed, 0)).toMatchObject({ source: 2, intervals: [{ start: 3, end: 10 }] });
  });

  test('D5: disabling asks for what was accepted at once, and enabling again leaves that asked for', () => {
    const behind = { ...endsAt(10, 5), stable: new Map([[0, 7]]) };
    const closed = allowed(close(progressOf(3, 5), behind, disable));
    expect(closed.flush).toEqual({ 0: 10, 1: 5 });
    expect(allowed(open(closed, endsAt(15, 9))).flush).toEqual({ 0: 10, 1: 5 });
    expect(allowed(close(progressOf(3), endsAt(3), disable))).not.toHaveProperty('flush');
    const staged = [sliceOf({ id: 'a', from: 0, to: 2 })];
    expect(allowed(close({ ...progressOf(3), staged }, endsAt(3), disable)).flush).toEqual({ 0: 3 });
  });

  test('enabling appends an interval and never moves the position', () => {
    const again = allowed(open(allowed(close(progressOf(3), endsAt(10), disable)), endsAt(15)));
    expect(entryOf(again, 0)).toMatchObject({
      source: 2,
      intervals: [
        { start: 3, end: 10 },
        { start: 15, end: null },
      ],
    });
  });

  test('doing it twice changes nothing', () => {
    const closed = allowed(close(progressOf(3), endsAt(10), disable));
    expect(allowed(close(closed, endsAt(99), disable))).toEqual(closed);
    const opened = allowed(open(closed, endsAt(15)));
    expect(allowed(open(opened, endsAt(99)))).toEqual(opened);
  });

  test('an interval in which nothing came is not kept', () => {
    const again = allowed(open(allowed(close(progressOf(3), endsAt(3), disable)), endsAt(3)));
    expect(entryOf(again, 0).intervals).toEqual([{ start: 3, end: null }]);
  });

  test('D2: ends without a partition that the document knows are too old', () => {
    expect(close(progressOf(0, 0), endsAt(5), disable)).toMatchObject({ kind: 'refused', outdated: true });
    const closed = allowed(close(progressOf(0, 0), endsAt(5, 5), disable));
    expect(open(closed, endsAt(5))).toMatchObject({ kind: 'refused', outdated: true });
  });

  test('D2: a partition that was added while the sink was open is wanted from 0 to the end', () => {
    const closed = allowed(close(progressOf(7), endsAt(9, 4), disable));
    expect(entryOf(closed, 1)).toMatchObject({ source: -1, intervals: [{ start: 0, end: 4 }] });
  });

  test('a partition that was added while the sink was closed is not wanted', () => {
    const closed = allowed(close(progressOf(7), endsAt(9), disable));
    expect(entryOf(closed, 1).intervals).toEqual([]);
    expect(entryOf(allowed(open(closed, endsAt(9, 4))), 1).intervals).toEqual([{ start: 4, end: null }]);
  });

  test('D3: an end below what the document knows stops with an alarm: intervals never overlap', () => {
    expect(() => close(progressOf(3), endsAt(2), disable)).toThrow('ends at 2, but the sink already knows 3');
    const closed = allowed(close(progressOf(3), endsAt(10), disable));
    expect(() => open(closed, endsAt(9))).toThrow('ends at 9, but the sink already knows 10');
  });

  test('D2: disabling ends at the durable end: what was acknowledged behind an open transaction is delivered', () => {
    const closed = allowed(close(progressOf(3), { ...endsAt(12), stable: new Map([[0, 7]]) }, disable));
    expect(entryOf(closed, 0).intervals).toEqual([{ start: 3, end: 12 }]);
  });

  test('D2: enabling begins at the stable end: what an open transaction commits later is wanted', () => {
    const closed = allowed(close(progressOf(3), endsAt(5), disable));
    const opened = allowed(open(closed, { ...endsAt(12), stable: new Map([[0, 7]]) }));
    expect(entryOf(opened, 0).intervals.at(-1)).toEqual({ start: 7, end: null });
  });

  test('D3: enabling behind an end that nobody could read yet begins at that end: intervals never overlap', () => {
    const closed = allowed(close(progressOf(3), endsAt(9), disable));
    const opened = allowed(open(closed, { ...endsAt(12), stable: new Map([[0, 4]]) }));
    expect(entryOf(opened, 0).intervals).toEqual([
      { start: 3, end: 9 },
      { start: 9, end: null },
    ]);
  });

  test('D8: past the limit of intervals enabling is refused', () => {
    let progress = progressOf(0);
    for (let round = 0; round < limits.intervals; round += 1) {
      progress = allowed(close(progress, endsAt(2 * round + 1), disable));
      if (round < limits.intervals - 1) progress = allowed(open(progress, endsAt(2 * round + 2)));
    }
    expect(open(progress, endsAt(1000))).toMatchObject({
      reason: 'too many intervals wait to be passed',
      outdated: false,
    });
  });
});

describe('the next incarnation', () => {
  const stable = new Map([[0, 7]]);
  const behind = { ...endsAt(12), stable };
  const deleted = allowed(close(progressOf(3), behind, { deleted: true }));

  test('D3: it begins behind what the one before it took, also where nobody can read that yet', () => {
    expect(beginsAfter(deleted, behind)).toEqual(new Map([[0, 12]]));
    expect(beginsAfter(deleted, endsAt(15, 4))).toEqual(endsAt(15, 4).stable);
  });

  test('D2: in a log that has lost its end it begins at the end, because what comes now is new', () => {
    expect(beginsAfter(deleted, endsAt(9))).toEqual(new Map([[0, 9]]));
  });

  test('D2: without one before it, it begins at the stable end', () => {
    expect(beginsAfter(undefined, behind)).toEqual(stable);
  });
});

describe('the ends of an incarnation that is deleted', () => {
  const mapped = new Map([[0, 12]]);

  test('D2: they are those of its source topic while that has what the document knows', () => {
    expect(lastEnds(progressOf(3), endsAt(9), mapped)).toEqual(endsAt(9));
  });

  test.each([
    ['lost', undefined],
    ['behind what the document knows', endsAt(2)],
  ])('D2: with a source topic that is %s it ends behind what it has outcomes for', (_, found) => {
    const closed = allowed(close(progressOf(3), lastEnds(progressOf(3), found, mapped), { deleted: true }));
    expect(entryOf(closed, 0).intervals).toEqual([{ start: 3, end: 12 }]);
    const bare = allowed(close(progressOf(3), lastEnds(progressOf(3), found, new Map()), { deleted: true }));
    expect(isSpent(bare, [0])).toBe(true);
  });
});

describe('a deleted incarnation', () => {
  const deleted = allowed(close(progressOf(3), endsAt(5), { deleted: true }));

  test('it is never opened again', () => expect(open(deleted, endsAt(9))).toHaveProperty('reason'));

  test('it goes when it has passed its ends and holds no slice, wherever slices wait', () => {
    const entry = { ...entryOf(deleted, 0), source: 4 };
    const passed = { ...deleted, entries: { 0: entry } };
    const slice = sliceOf({ id: 'a', from: 2, to: 4 });
    expect(isSpent(deleted, [0])).toBe(false);
    expect(isSpent(passed, [0])).toBe(true);
    expect(isSpent({ ...passed, staged: [slice] }, [0])).toBe(false);
    expect(isSpent({ ...passed, parked: [{ ...slice, parkedAt: 0 }] }, [0])).toBe(false);
    expect(isSpent({ ...passed, importing: { number: 1, id: 'i', slices: [slice], startedAt: 0 } }, [0])).toBe(false);
    expect(isSpent({ ...passed, deleted: false }, [0])).toBe(false);
  });
});

test('D7: mapping versions only go up', () => {
  expect(allowed(changeMapping(progressOf(0), { mappingVersion: 2, at: 5 })).mappingVersion).toBe(2);
  expect(changeMapping(progressOf(0), { mappingVersion: 1, at: 5 })).toHaveProperty('reason');
});

describe('deleting with the tables', () => {
  const [orders, refunds] = [parseTableId('in.c-shop.orders'), parseTableId('in.c-shop.refunds')];

  test('ends the incarnation, names the tables, and asks for everything at once; the position stays', () => {
    const erased = allowed(erase(progressOf(3), endsAt(10), [orders]));
    expect(erased).toMatchObject({ open: false, deleted: true, dropped: [orders], flush: { 0: 10 } });
    expect(entryOf(erased, 0)).toMatchObject({ source: 2, intervals: [{ start: 3, end: 10 }] });
  });

  test('D2: it ends, and asks for, what was acknowledged behind an open transaction, too', () => {
    const erased = allowed(erase(progressOf(3), { ...endsAt(12), stable: new Map([[0, 7]]) }, [orders]));
    expect(erased).toMatchObject({ flush: { 0: 12 }, entries: { 0: { intervals: [{ start: 3, end: 12 }] } } });
  });

  test('done again it adds tables, and moves no end', () => {
    const erased = allowed(erase(progressOf(3), endsAt(10), [orders]));
    const again = allowed(erase(erased, endsAt(99), [refunds, orders]));
    expect(again.dropped).toEqual([orders, refunds]);
    expect(entryOf(again, 0)).toEqual(entryOf(erased, 0));
  });

  test('D2: ends without a partition that the document knows are too old', () => {
    expect(erase(progressOf(3), endsAt(), [orders])).toMatchObject({ kind: 'refused', outdated: true });
  });
});
