import { describe, expect, it } from 'vitest';
import { RetryPacing } from './retry-pacing.ts';

const policy = { firstMs: 100, capMs: 1000 };

describe('the pace of tries', () => {
  it('doubles the pause with each failure in a row, up to the cap', () => {
    const retry = new RetryPacing(policy, () => 0.5);
    expect([1, 2, 3, 4, 5, 1000].map((failures) => retry.pauseMs(failures))).toEqual([100, 200, 400, 800, 1000, 1000]);
  });

  it('spreads the pauses of what failed together', () => {
    expect(new RetryPacing(policy, () => 0).pauseMs(1)).toBe(75);
    expect(new RetryPacing(policy, () => 0.999).pauseMs(1)).toBe(125);
    expect(new RetryPacing(policy, () => 0).withPolicy({ firstMs: 1000, capMs: 1000 }).pauseMs(1)).toBe(750);
  });
});
