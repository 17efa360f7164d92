import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '../core/clock.ts';

/** The system's time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: async (ms, { signal }) => {
    await sleep(ms, undefined, { signal }).catch((thrown: unknown) => {
      // A timer rejects with an error of its own.
      signal.throwIfAborted();
      throw thrown;
    });
  },
};
