import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { CommitPace } from './commit-pace.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

function come(pace: CommitPace, appends: number, bytes = 800): void {
  for (let count = 0; count < appends; count += 1) pace.add(bytes);
}

/** Two commits, each of so many appends that came together. */
function paceAfter(...commits: readonly number[]): CommitPace {
  const pace = new CommitPace();
  for (const appends of commits) {
    come(pace, appends);
    pace.begin(appends);
  }
  return pace;
}

interface Begin {
  isSo: boolean;
  readonly told: Promise<void>;
}

async function beginOf(pace: CommitPace): Promise<Begin> {
  const begin: Begin = { isSo: false, told: pace.mayBegin().then(() => void (begin.isSo = true)) };
  await turn();
  return begin;
}

/** Whether the next commit waits; ends the wait as its time does. */
async function waits(pace: CommitPace): Promise<boolean> {
  const begin = await beginOf(pace);
  const waited = !begin.isSo;
  await vi.advanceTimersByTimeAsync(1);
  await begin.told;
  return waited;
}

test('a commit waits a millisecond for more where appends came while the one before was written', async () => {
  const pace = paceAfter(2);
  come(pace, 1);
  const begin = await beginOf(pace);
  expect(begin.isSo).toBe(false);
  await vi.advanceTimersByTimeAsync(1);
  await begin.told;
});

test('it begins as soon as those that were told are back, beside those that came meanwhile', async () => {
  const pace = paceAfter(2);
  come(pace, 1);
  const begin = await beginOf(pace);
  come(pace, 1);
  await turn();
  expect(begin.isSo).toBe(false);
  come(pace, 1);
  await turn();
  expect(begin.isSo).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});

test('what the present turn still delivers comes before the commit that has waited', async () => {
  const pace = paceAfter(2, 2);
  const begin = await beginOf(pace);
  come(pace, 2);
  for (let steps = 0; steps < 10; steps += 1) await Promise.resolve();
  expect(begin.isSo).toBe(false);
  await turn();
  expect(begin.isSo).toBe(true);
});

test('where nobody came meanwhile it waits for as many as came together twice', async () => {
  expect(await waits(paceAfter(8, 8))).toBe(true);
  const pace = paceAfter(8, 3);
  const begin = await beginOf(pace);
  come(pace, 2);
  await turn();
  expect(begin.isSo).toBe(false);
  come(pace, 1);
  await turn();
  expect(begin.isSo).toBe(true);
});

test('a sender that is alone never waits, also when another one comes by now and then', async () => {
  expect(await waits(paceAfter(1, 1))).toBe(false);
  expect(await waits(paceAfter(1, 2))).toBe(false);
  expect(await waits(paceAfter(2, 1))).toBe(false);
  const pace = paceAfter(1, 1);
  come(pace, 1);
  const begin = await beginOf(pace);
  come(pace, 1);
  await turn();
  expect(begin.isSo).toBe(true);
});

test('sixteen appends are enough, however many came before', async () => {
  const pace = paceAfter(300, 300);
  come(pace, 15);
  expect(await waits(pace)).toBe(true);
  come(pace, 1);
  expect(await waits(pace)).toBe(false);
});

test('so are 64 KB', async () => {
  const pace = paceAfter(8, 8);
  come(pace, 2, 32 * 1024 - 1);
  expect(await waits(pace)).toBe(true);
  come(pace, 1, 2);
  expect(await waits(pace)).toBe(false);
});

test('what a commit left behind waits for nobody, and only the commit that takes it is hurried', async () => {
  const pace = paceAfter(3, 3);
  pace.hurry();
  expect(await waits(pace)).toBe(false);
  expect(await waits(pace)).toBe(true);
});

test('who hurries ends the wait that goes on', async () => {
  const pace = paceAfter(3, 3);
  const begin = await beginOf(pace);
  pace.hurry();
  await turn();
  expect(begin.isSo).toBe(true);
  expect(vi.getTimerCount()).toBe(0);
});
