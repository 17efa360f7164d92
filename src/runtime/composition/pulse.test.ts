import { describe, expect, it } from 'vitest';
import { Pulse } from './pulse.ts';

const limits = { silentMs: 3000, startMs: 10_000, stillMs: 6000 };

/** One look a second: `beats` says what is heard before each; undefined: nothing. The first reason, and after how many looks it came. */
function judge(
  beats: readonly (number | 'pausing' | undefined)[],
): { readonly looks: number; readonly reason: string } | undefined {
  const pulse = new Pulse(limits, 1000);
  for (const [index, beat] of beats.entries()) {
    if (beat !== undefined) pulse.heard({ rounds: beat === 'pausing' ? 7 : beat, isPausing: beat === 'pausing' });
    const reason = pulse.look();
    if (reason !== undefined) return { looks: index + 1, reason };
  }
  return undefined;
}

const times = <T>(count: number, value: T): readonly T[] => Array.from({ length: count }, () => value);

describe('the pulse of a thread', () => {
  it('L2: a thread that gives no sign of life for its bound is given up, and not before', () => {
    expect(judge([1, 2, ...times(3, undefined)])?.looks).toBe(5);
    expect(judge([1, 2, ...times(2, undefined), 3, ...times(2, undefined)])).toBeUndefined();
  });

  it('L2: a thread that loads its modules has longer', () => {
    expect(judge(times(10, undefined))).toBeUndefined();
    expect(judge(times(11, undefined))?.looks).toBe(11);
  });

  it('L2: a thread that beats, and whose role makes no round, is given up after its own bound', () => {
    expect(judge(times(7, 5))).toMatchObject({ looks: 7, reason: 'its work stood still for 6 seconds' });
    expect(judge(Array.from({ length: 50 }, (_, round) => round))).toBeUndefined();
  });

  it('L2: a role that fails and says so is not given up: it pauses', () => {
    expect(judge(times(50, 'pausing'))).toBeUndefined();
  });
});
