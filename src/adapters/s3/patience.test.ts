import { expect, it } from 'vitest';
import { Patience } from './patience.ts';

it('doubles the limit of a kind of tries while they run out of it, and takes it back when answers come in time', () => {
  const patience = new Patience();
  expect(patience.limitMs(5000)).toBe(5000);
  patience.expired(5000, 5000);
  patience.expired(5000, 5000);
  expect(patience.limitMs(5000), 'two side by side are one').toBe(10_000);
  expect(patience.limitMs(40_000)).toBe(80_000);
  patience.expired(5000, 10_000);
  expect(patience.limitMs(5000)).toBe(20_000);
  patience.answered(5000, 100);
  expect(patience.limitMs(5000)).toBe(5000);
});

it('leaves a slow line as long as it needs, within a bound', () => {
  const patience = new Patience();
  for (let limit = 5000; limit < 100_000; limit = patience.limitMs(5000)) patience.expired(5000, limit);
  patience.answered(5000, 90_000);
  expect(patience.limitMs(5000)).toBe(180_000);
  patience.expired(5000, 1e9);
  expect(patience.limitMs(5000)).toBe(320_000);
});
