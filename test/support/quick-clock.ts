import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../../src/core/clock.ts';

/** A clock on which a minute passes in a second, and which says the same in all processes that are given the same beginning. */
export function quickClock(begin: number, times = 60): Clock {
  return {
    now: () => begin + times * (Date.now() - begin),
    monotonic: () => times * performance.now(),
    sleep: (ms, { signal }) => sleep(ms / times, undefined, { signal }),
  };
}
