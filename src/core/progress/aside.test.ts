import { expect, test } from 'vitest';
import { allowed, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { asideOf, sumAside } from './aside.ts';
import { giveUp, park, parkDamaged } from './parked.ts';
import type { SinkProgress } from './sink-progress.ts';

const staged: SinkProgress = {
  ...progressOf(0),
  staged: [
    sliceOf({ id: 'a', from: -1, to: 4, rows: 3, dead: 1 }),
    sliceOf({ id: 'b', from: 4, to: 9, rows: 5, dead: 0 }),
  ],
};
const damage = { code: 'objects.corrupt', message: 'no' };

test('D6: slices that are set aside for any reason count, with what they hold and the age of the oldest', () => {
  expect(asideOf(staged, 9000)).toEqual({ slices: 0, events: 0, oldestSeconds: 0, givenUp: 0 });
  const one = allowed(parkDamaged(staged, { sliceId: 'b', at: 4000, damage }));
  expect(asideOf(one, 9000)).toEqual({ slices: 1, events: 5, oldestSeconds: 5, givenUp: 0 });
  const both = allowed(park(one, { mappingVersion: 1, at: 6000 }));
  expect(asideOf(both, 9000)).toEqual({ slices: 2, events: 9, oldestSeconds: 5, givenUp: 0 });
});

test('D4: what was given up counts, rows and dead letters, but not what went with a table that its owner dropped', () => {
  const after = allowed(giveUp(staged, 'a'));
  expect(asideOf(after, 0)).toMatchObject({ slices: 0, givenUp: 4 });
  expect(asideOf({ ...after, dropped: [] }, 0).givenUp).toBe(0);
});

test('of several incarnations everything adds up, and the oldest is told', () => {
  const one = { slices: 1, events: 5, oldestSeconds: 7, givenUp: 2 };
  expect(sumAside([one, { ...one, oldestSeconds: 3 }])).toEqual({
    slices: 2,
    events: 10,
    oldestSeconds: 7,
    givenUp: 4,
  });
});
