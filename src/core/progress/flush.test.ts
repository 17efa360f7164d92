import { describe, expect, test } from 'vitest';
import { allowed, endsAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { clearFlush, heldBack, isDelivered, requestFlush } from './flush.ts';
import { entryOf, isRefused } from './sink-progress.ts';
import { close } from './switch.ts';

const behind = { ...endsAt(12), stable: new Map([[0, 7]]) };

test('D2: what was acknowledged behind an open transaction is not delivered, and is told apart from what can be read', () => {
  const progress = progressOf(3);
  expect(isDelivered(progress, behind.durable)).toBe(false);
  expect(heldBack(progress, behind.durable, behind)).toBe(5);
  expect(heldBack(progress, new Map([[0, 9]]), behind)).toBe(2);
  expect(heldBack(progress, behind.durable, endsAt(12))).toBe(0);
});

test('what a sink does not want is not held back', () => {
  const closed = allowed(close(progressOf(3), endsAt(8), { deleted: false }));
  expect(heldBack(closed, behind.durable, behind)).toBe(1);
});

describe('a document that has passed everything', () => {
  const passed = { ...progressOf(3), entries: { 0: { ...entryOf(progressOf(3), 0), source: 9 } } };
  const ends = endsAt(10).durable;
  const slice = sliceOf({ id: 'a', from: 4, to: 9 });

  test('D4: what waits in staging, is parked or is being imported is not delivered', () => {
    expect(isDelivered(passed, ends)).toBe(true);
    expect(isDelivered({ ...passed, staged: [slice] }, ends)).toBe(false);
    expect(isDelivered({ ...passed, parked: [{ ...slice, parkedAt: 0 }] }, ends)).toBe(false);
    const importing = { number: 1, id: 'i', slices: [slice], startedAt: 0 };
    expect(isDelivered({ ...passed, importing }, ends)).toBe(false);
    expect(isDelivered({ ...passed, staged: [slice] }, new Map([[0, 5]]))).toBe(true);
  });

  test('a flush is forgotten when it is served, and not before', () => {
    const asked = requestFlush(passed, ends);
    expect(isRefused(clearFlush({ ...asked, staged: [slice] }))).toBe(true);
    expect(allowed(clearFlush(asked))).not.toHaveProperty('flush');
    expect(isRefused(clearFlush(passed))).toBe(true);
  });
});

test('a flush that is asked for twice takes the higher ends', () => {
  const asked = requestFlush(requestFlush(progressOf(3, 3), endsAt(10, 5).durable), endsAt(7, 8).durable);
  expect(asked.flush).toEqual({ 0: 10, 1: 8 });
});
