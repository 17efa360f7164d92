import { describe, expect, test } from 'vitest';
import { dueTrigger, type TriggerState } from './trigger.ts';

const conditions = { count: 10, sizeBytes: 100, intervalMs: 1000 };

describe('triggers', () => {
  test.each<readonly [TriggerState, string | undefined]>([
    [{ count: 9, bytes: 99, ageMs: 999 }, undefined],
    [{ count: 10, bytes: 0, ageMs: 0 }, 'count'],
    [{ count: 0, bytes: 100, ageMs: 0 }, 'size'],
    [{ count: 1, bytes: 1, ageMs: 1000 }, 'interval'],
    [{ count: 10, bytes: 100, ageMs: 1000 }, 'count'],
  ])('%j is due by %s: whichever condition is met first', (state, cause) => {
    expect(dueTrigger(state, conditions)).toBe(cause);
  });

  test('D5: the interval is met by time alone, for what holds only runs too', () => {
    expect(dueTrigger({ count: 0, bytes: 0, ageMs: 1000 }, conditions)).toBe('interval');
  });

  test('nothing open is never due', () => {
    expect(
      dueTrigger({ count: 0, bytes: 0, ageMs: undefined }, { count: 0, sizeBytes: 0, intervalMs: 0 }),
    ).toBeUndefined();
  });
});
