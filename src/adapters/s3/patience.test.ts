import { expect, it } from 'vitest';
import { Patience } from './patience.ts';

const first = { attempt: 1, now: 0 };

it('D6: the tries of one call have twice as long each time, and other calls no longer than before', () => {
  const patience = new Patience();
  expect(patience.limitMs(5000, first)).toBe(5000);
  patience.expired(5000, { limitMs: 5000, now: 0 });
  expect(patience.limitMs(5000, { attempt: 2, now: 0 })).toBe(10_000);
  expect(patience.limitMs(5000, first), 'one lost answer says nothing of other calls').toBe(5000);
});

it('D6: a call all of whose tries ran out of their time leaves the next one longer, up to a bound', () => {
  const patience = new Patience();
  for (const limitMs of [5000, 10_000, 20_000]) patience.expired(5000, { limitMs, now: 0 });
  expect(patience.limitMs(5000, first)).toBe(10_000);
  expect(patience.limitMs(5000, { attempt: 3, now: 0 })).toBe(40_000);
  patience.expired(5000, { limitMs: 1e9, now: 0 });
  expect(patience.limitMs(5000, { attempt: 3, now: 0 })).toBe(320_000);
});

it('D6: what a slow answer needed is kept whatever quick ones say, and forgotten with time', () => {
  const patience = new Patience();
  patience.answered(5000, { tookMs: 12_000, now: 0 });
  patience.answered(5000, { tookMs: 10, now: 0 });
  expect(patience.limitMs(5000, first)).toBe(18_000);
  expect(patience.limitMs(40_000, first)).toBe(144_000);
  expect(patience.limitMs(5000, { attempt: 1, now: 60_000 })).toBe(9000);
  expect(patience.limitMs(5000, { attempt: 1, now: 600_000 })).toBe(5000);
});
