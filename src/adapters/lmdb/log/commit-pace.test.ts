import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommitPace } from './commit-pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function commitOf(pace: CommitPace, appends: number): void {
  for (let count = 0; count < appends; count += 1) pace.add();
  pace.begin();
}

/** Whether the next commit waits; ends the wait as its time does. */
async function waits(pace: CommitPace): Promise<boolean> {
  let begins = false;
  const next = pace.next().then(() => (begins = true));
  await turn();
  const waited = !begins;
  await vi.advanceTimersByTimeAsync(1);
  await next;
  return waited;
}

test('a commit waits a millisecond for others where several came together lately', async () => {
  const pace = new CommitPace();
  commitOf(pace, 3);
  let begins = false;
  const next = pace.next().then(() => (begins = true));
  await vi.advanceTimersByTimeAsync(0);
  expect(begins).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await next;
});

test('it begins as soon as as many have come as lately', async () => {
  const pace = new CommitPace();
  commitOf(pace, 3);
  pace.add();
  let begins = false;
  const next = pace.next().then(() => (begins = true));
  pace.add();
  await turn();
  expect(begins).toBe(false);
  pace.add();
  await turn();
  expect(begins).toBe(true);
  await next;
  expect(vi.getTimerCount()).toBe(0);
});

test('it does not wait when as many came while the one before was written', async () => {
  const pace = new CommitPace();
  commitOf(pace, 3);
  for (let count = 0; count < 3; count += 1) pace.add();
  expect(await waits(pace)).toBe(false);
});

test('a sender that is alone never waits, and one that was not alone waits no longer after some commits', async () => {
  const pace = new CommitPace();
  commitOf(pace, 1);
  expect(await waits(pace)).toBe(false);
  commitOf(pace, 4);
  for (let commits = 0; commits < 15; commits += 1) {
    commitOf(pace, 1);
    expect(await waits(pace)).toBe(true);
  }
  commitOf(pace, 1);
  expect(await waits(pace)).toBe(false);
});

test('sixteen appends are enough, however many came lately', async () => {
  const pace = new CommitPace();
  commitOf(pace, 300);
  for (let count = 0; count < 15; count += 1) pace.add();
  expect(await waits(pace)).toBe(true);
  pace.add();
  expect(await waits(pace)).toBe(false);
});

test('what a commit did not take waits for nobody, and only the commit that takes it is hurried', async () => {
  const pace = new CommitPace();
  commitOf(pace, 3);
  pace.hurry();
  expect(await waits(pace)).toBe(false);
  commitOf(pace, 3);
  expect(await waits(pace)).toBe(true);
});
