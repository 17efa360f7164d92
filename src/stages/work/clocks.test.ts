import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { ItemApi, itemConfiguration } from '../../../test/support/item-api.ts';
import { numbers, openLoopback, WorkHarness } from '../../../test/support/work-harness.ts';
import { WorkPoints } from '../../../test/support/work-points.ts';
import type { Clock } from '../../core/clock.ts';
import { systemClock } from '../../runtime/system-clock.ts';

const hour = 3_600_000;

let api: ItemApi;
let harness: WorkHarness;

beforeEach(async () => {
  [api, harness] = await Promise.all([ItemApi.open(25), WorkHarness.open()]);
});

afterEach(async () => {
  await harness[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

/** The clock of a machine that is off by so many milliseconds, which somebody may change. */
function clockOff(off: number): Clock & { off: number } {
  const clock = { ...systemClock, off, now: () => systemClock.now() + clock.off };
  return clock;
}

const configure = (configurationId: string): Promise<void> =>
  harness.configure(
    configurationId,
    itemConfiguration(api.url, { outputBucket: configurationId, incrementalOutput: true }),
  );

/** Loaded once, with times and lines in the order in which all of it happened. */
async function expectWell(jobId: string, configurationId: string, attempt = 1): Promise<void> {
  const { status, run, created, endedAt } = await harness.ended(jobId);
  expect([status, run?.attempt]).toEqual(['success', attempt]);
  const times = [created.at, run?.startedAt ?? '', endedAt];
  expect(times).toEqual(times.toSorted());
  expect(await harness.cells(`in.c-${configurationId}.items`)).toEqual(numbers(25));
  const lines = await harness.lines(jobId);
  expect([lines[0], lines.at(-1)]).toEqual([
    `info: Running job "${jobId}".`,
    `success: Job "${jobId}" execution finished.`,
  ]);
}

describe('J14: a worker whose clock is off', () => {
  test('runs its jobs beside others whose clocks are right, and nobody takes them over', async () => {
    for (const off of [hour, -hour, 0]) await harness.work({ clock: clockOff(off), atOnce: 9 });
    const names = Array.from({ length: 9 }, (_, at) => `shop-${at}`);
    for (const name of names) await configure(name);
    const gate = api.hold(10);
    const jobs = await Promise.all(
      names.map(async (name) => ({ name, jobId: await harness.ask({ configurationId: name }) })),
    );
    await Promise.all(jobs.map(({ jobId }) => harness.running(jobId)));
    gate.open();
    for (const { name, jobId } of jobs) await expectWell(jobId, name);
    expect(harness.endings).toHaveLength(names.length);
  });

  test.each([
    [hour, -hour],
    [-hour, hour],
  ])('by %i ms and dies is followed by one that is off by %i ms', async (first, second) => {
    await configure('shop');
    const points = new WorkPoints(
      { point: 'page', moment: 'after', fate: 'death' },
      { catalog: harness.catalog, loads: harness.tables, openHttp: openLoopback },
    );
    const { catalog, loads, openHttp } = points;
    const worker = await harness.work({ catalog, loads, openHttp, clock: clockOff(first) });
    const jobId = await harness.ask({ configurationId: 'shop' });
    await points.reached;
    await worker.kill();
    await harness.work({ clock: clockOff(second) });
    await expectWell(jobId, 'shop', 2);
  });

  test('and jumps neither ends what runs before its time nor begins it anew', async () => {
    await configure('shop');
    const gate = api.hold(10);
    const clock = clockOff(0);
    await harness.work({ clock, timeoutMs: 600_000 });
    const jobId = await harness.ask({ configurationId: 'shop' });
    await gate.reached;
    for (const off of [hour, -hour, 100 * hour]) {
      clock.off = off;
      const { rounds } = harness;
      await eventually(() => expect(harness.rounds).toBeGreaterThan(rounds + 1));
    }
    gate.open();
    await expectWell(jobId, 'shop');
  });

  test('and jumps begins a job that was delayed when its clock says that it is time', async () => {
    await configure('shop');
    const clock = clockOff(0);
    await harness.work({ clock });
    const notBefore = new Date(systemClock.now() + hour / 2).toISOString();
    const jobId = await harness.ask({ configurationId: 'shop', notBefore });
    const { rounds } = harness;
    await eventually(() => expect(harness.rounds).toBeGreaterThan(rounds + 1));
    expect((await harness.job(jobId)).phase).toBe('created');
    clock.off = hour;
    await expectWell(jobId, 'shop');
  });

  test('leaves a state that the next run warns of when that began later than now', async () => {
    await configure('shop');
    const ahead = await harness.work({ clock: clockOff(hour) });
    await harness.ended(await harness.ask({ configurationId: 'shop' }));
    await ahead.kill();
    await harness.work();
    const warning = /^warn: The last run began 3[56]\d\d seconds from now, as its state has it: one of the clocks/;
    const first = await harness.ask({ configurationId: 'shop' });
    await harness.ended(first);
    expect((await harness.lines(first)).filter((line) => warning.test(line))).toHaveLength(1);
    const second = await harness.ask({ configurationId: 'shop' });
    await harness.ended(second);
    expect((await harness.lines(second)).filter((line) => warning.test(line))).toEqual([]);
  });
});
