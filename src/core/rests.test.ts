import { expect, it } from 'vitest';
import { Rests } from './rests.ts';

it('D8: what costs more the more there is takes an eleventh of the time, however often it is asked for', () => {
  const rests = new Rests(1000);
  let [now, spent] = [0, 0];
  for (; now < 10_000; now += 1) {
    if (!rests.isDue(now)) continue;
    rests.done({ began: now, ended: now + 50 });
    spent += 50;
    now += 50;
  }
  expect(spent / now).toBeLessThan(0.1);
  expect(spent).toBeGreaterThan(800);
});

it('D7: nobody waits longer than is promised, and who asks after a while waits for nothing', () => {
  const rests = new Rests(1000);
  expect(rests.isDue(0)).toBe(true);
  rests.done({ began: 0, ended: 5000 });
  expect([rests.isDue(5999), rests.isDue(6000), rests.dueAt]).toEqual([false, true, 6000]);
  rests.done({ began: 7000, ended: 7000 });
  expect(rests.isDue(7000)).toBe(true);
});
