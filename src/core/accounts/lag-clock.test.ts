import { describe, expect, it } from 'vitest';
import { LagClock } from './lag-clock.ts';

describe('LagClock', () => {
  it('is 0 while everything is done', () => {
    const clock = new LagClock();
    expect(clock.measure({ accepted: 5, done: 5, now: 0 })).toBe(0);
    expect(clock.measure({ accepted: 9, done: 9, now: 1000 })).toBe(0);
  });

  it('is the age of the oldest count that is not reached', () => {
    const clock = new LagClock();
    clock.measure({ accepted: 5, done: 5, now: 0 });
    clock.measure({ accepted: 8, done: 5, now: 1000 });
    clock.measure({ accepted: 9, done: 5, now: 2000 });
    expect(clock.measure({ accepted: 9, done: 7, now: 5000 })).toBe(4000);
    expect(clock.measure({ accepted: 9, done: 8, now: 6000 })).toBe(4000);
    expect(clock.measure({ accepted: 9, done: 9, now: 7000 })).toBe(0);
  });

  it('keeps the oldest sample however long the lag lasts', () => {
    const clock = new LagClock();
    for (let step = 1; step <= 5000; step += 1) clock.measure({ accepted: step, done: 0, now: step });
    expect(clock.measure({ accepted: 5000, done: 0, now: 6000 })).toBe(5999);
  });
});
