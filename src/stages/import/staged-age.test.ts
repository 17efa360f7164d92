import { expect, it } from 'vitest';
import { sliceOf } from '../../../test/support/progress-of.ts';
import { stagedAgeMs } from './staged-age.ts';

const at = (...stagedAt: readonly number[]) => ({
  staged: stagedAt.map((one, index) => sliceOf({ id: String(index), from: index, to: index + 1, stagedAt: one })),
});

it('D5: the age of what is staged is that of the oldest slice, wherever it stands', () => {
  expect(stagedAgeMs(at(500, 200, 900), { now: 1000, intervalMs: 300 })).toBe(800);
  expect(stagedAgeMs(at(), { now: 1000, intervalMs: 300 })).toBeUndefined();
});

it('D5: a clock that was set back postpones an import by no more than its interval', () => {
  expect(stagedAgeMs(at(1200), { now: 1000, intervalMs: 300 })).toBe(0);
  expect(stagedAgeMs(at(1301), { now: 1000, intervalMs: 300 })).toBe(300);
});
