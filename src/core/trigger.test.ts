import { describe, expect, test } from 'vitest';
import { parseIncarnation } from './ids.ts';
import { Trigger, type TriggerState } from './trigger.ts';

const conditions = { count: 10, sizeBytes: 100, intervalMs: 1000, slices: 3 };
const trigger = new Trigger(conditions);
const now = 5000;
const open = (state: Partial<TriggerState>): TriggerState => ({
  count: 0,
  bytes: 0,
  slices: 0,
  openedAt: now,
  ...state,
});

describe('triggers', () => {
  test.each<readonly [Partial<TriggerState>, string | undefined]>([
    [{ count: 9, bytes: 99, slices: 2, openedAt: now - 999 }, undefined],
    [{ count: 10 }, 'count'],
    [{ bytes: 100 }, 'size'],
    [{ slices: 3 }, 'slices'],
    [{ count: 1, bytes: 1, openedAt: now - 1000 }, 'interval'],
    [{ count: 10, bytes: 100, openedAt: now - 1000 }, 'count'],
  ])('%j is due by %s: whichever condition is met first', (state, cause) => {
    expect(trigger.due(open(state), now)).toBe(cause);
    expect(trigger.deadline(open(state), now)).toBe(cause === undefined ? now + 1 : now);
  });

  test('D5: the interval is met by time alone, for what holds only runs too', () => {
    expect(trigger.deadline(open({}), now)).toBe(now + 1000);
    expect(trigger.due(open({}), now + 1000)).toBe('interval');
  });

  test('nothing open is never due', () => {
    const eager = new Trigger({ count: 0, sizeBytes: 0, intervalMs: 0, slices: 0 });
    expect(eager.due(open({ openedAt: undefined }), now)).toBeUndefined();
    expect(eager.deadline(open({ openedAt: undefined }), now)).toBeUndefined();
  });

  test.each(Object.keys(conditions))('%s alone makes it due', (condition) => {
    const never = Object.fromEntries(Object.keys(conditions).map((one) => [one, Number.POSITIVE_INFINITY]));
    const all = open({ count: 10, bytes: 100, slices: 3, openedAt: now - 1000 });
    expect(new Trigger({ ...conditions, ...never }).due(all, now)).toBeUndefined();
    expect(new Trigger({ ...conditions, ...never, [condition]: 3 }).due(all, now)).toBeDefined();
  });

  test.each(Object.keys(conditions))('another %s makes another trigger', (condition) => {
    expect(trigger.same(new Trigger(conditions))).toBe(true);
    expect(trigger.same({ ...conditions, [condition]: 7 })).toBe(false);
  });

  test('spread over sinks it is due earlier, never later, and the same else', () => {
    const spread = trigger.spread(parseIncarnation(1));
    expect(spread.intervalMs).toBeLessThan(1000);
    expect(spread.same({ ...conditions, intervalMs: spread.intervalMs })).toBe(true);
  });
});
