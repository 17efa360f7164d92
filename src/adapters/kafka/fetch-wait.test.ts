import { expect, it } from 'vitest';
import { fetchWaitMs, idleEveryMs } from './config.ts';
import { fetchWait } from './fetch-wait.ts';

it('a request waits at its leader while there is nothing to poll', () => {
  for (const areIdle of [true, false]) expect(fetchWait({ hasReady: false, areIdle, sinceMs: 0 })).toBe(fetchWaitMs);
});

it('D6: idle partitions neither hold up busy ones nor are they forgotten', () => {
  expect(fetchWait({ hasReady: true, areIdle: true, sinceMs: 0 })).toBeUndefined();
  expect(fetchWait({ hasReady: true, areIdle: true, sinceMs: idleEveryMs })).toBe(0);
  expect(fetchWait({ hasReady: true, areIdle: false, sinceMs: 0 })).toBe(0);
});
