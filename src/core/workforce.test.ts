import { expect, test } from 'vitest';
import {
  saidAgo,
  SeenWorkers,
  workerGoneMs,
  workerMissedMs,
  workerSaidEveryMs,
  workersPresent,
  workforceOf,
} from './workforce.ts';

const hour = 3_600_000;
const now = Date.UTC(2026, 0, 1);

test('J1: whoever said it a moment ago is there, also with a clock that is ahead', () => {
  expect(workforceOf([workerMissedMs * 2, workerGoneMs - 1])).toBe('present');
  expect(workforceOf([saidAgo({ at: new Date(now + workerSaidEveryMs).toISOString() }, now)])).toBe('present');
});

test('J1: whoever was there within the hour is missed, and is expected back', () => {
  expect(workforceOf([workerGoneMs])).toBe('missed');
  expect(workforceOf([workerMissedMs - 1])).toBe('missed');
});

test('J1: nobody runs jobs where nobody ever said so, or not for an hour', () => {
  expect(workforceOf([])).toBe('none');
  expect(workforceOf([workerMissedMs, workerMissedMs * 3])).toBe('none');
});

test('those that are there are counted', () => {
  expect(workersPresent([0, workerGoneMs - 1, workerGoneMs])).toBe(2);
});

/** How it looks to a process that looks every 15 seconds, at one whose clock is off and that says something as often until it is gone. */
function looksAt(off: number, { rounds, gone }: { readonly rounds: number; readonly gone: number }): readonly string[] {
  const workers = new SeenWorkers();
  return Array.from({ length: rounds }, (_, round) => {
    const passed = round * workerSaidEveryMs;
    const said = Math.min(passed, gone * workerSaidEveryMs);
    const at = new Date(now + off + said).toISOString();
    return workforceOf(workers.look([{ process: 'one', at }], { now: now + passed, monotonic: passed }));
  });
}

test.each([-hour, hour, -24 * hour, 24 * hour])('J14: a clock that is off by %i ms makes nobody seem gone', (off) => {
  // Who sees it for the first time cannot know.
  expect(new Set(looksAt(off, { rounds: 20, gone: 20 }).slice(1))).toEqual(new Set(['present']));
});

test.each([-hour, hour, 24 * hour])('J14: and nobody stay: off by %i ms', (off) => {
  const seen = looksAt(off, { rounds: 20, gone: 5 });
  expect(seen.slice(1, 9)).toEqual(Array(8).fill('present'));
  expect(seen.slice(10)).not.toContain('present');
});
