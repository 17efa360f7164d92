import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { ItemApi, itemConfiguration } from '../../../test/support/item-api.ts';
import { OwnShare } from '../../../test/support/own-share.ts';
import { numbers, openLoopback, WorkHarness, type Worker } from '../../../test/support/work-harness.ts';
import { untilAborted, WorkPoints, workPoints, type Plan, type WorkPoint } from '../../../test/support/work-points.ts';
import { readLoadNote } from '../../documents/load-note.ts';
import type { Waiting } from '../../ports/waiting.ts';

let api: ItemApi;
let harness: WorkHarness;
let configurationId: string;
let tableId: string;
let number = 0;
let workers: Worker[];

beforeAll(async () => {
  [api, harness] = await Promise.all([ItemApi.open(25), WorkHarness.open()]);
});

afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

beforeEach(async () => {
  number += 1;
  configurationId = `shop-${number}`;
  tableId = `in.c-${configurationId}.items`;
  api.status = 200;
  workers = [];
  harness.endings.length = 0;
  harness.heldUp.length = 0;
  api.seen.length = 0;
  // What is loaded twice is there twice.
  const config = { outputBucket: configurationId, incrementalOutput: true };
  await harness.configure(configurationId, itemConfiguration(api.url, config));
});

afterEach(async () => {
  for (const worker of workers) await worker.kill();
});

/** A worker that has every share. */
async function start(
  points?: WorkPoints,
  { share = new OwnShare(harness.log), takeOverMs = 0, timeoutMs = 60_000 } = {},
): Promise<Worker> {
  const stores = points && { catalog: points.catalog, loads: points.loads, openHttp: points.openHttp };
  const worker = await harness.work({ workLog: share.log, takeOverMs, timeoutMs, ...stores });
  workers.push(worker);
  return worker;
}

function pointsOf(plan: Plan): WorkPoints {
  return new WorkPoints(plan, { catalog: harness.catalog, loads: harness.tables, openHttp: openLoopback });
}

const ask = (): Promise<string> => harness.ask({ configurationId });
const again = /^info: Running job "\d+" again: its process ended\.$/;

/** A success: its tables are loaded once, its state is that of the load, and its log says how often it was taken over. */
async function expectLoadedOnce(jobId: string, attempt: number): Promise<void> {
  expect(await harness.ended(jobId)).toMatchObject({
    status: 'success',
    run: { attempt },
    result: { message: 'Component processing finished.', tables: [{ tableId, rows: 25 }] },
  });
  expect(await harness.cells(tableId)).toEqual(numbers(25));
  const row = await harness.loadOf(jobId);
  expect(row?.verdict).toBe('loaded');
  const states = readLoadNote(row?.note ?? '').states.map(({ state }) => state);
  expect(states).toEqual([(await harness.configuration(configurationId))?.state]);
  const lines = await harness.lines(jobId);
  expect(lines.filter((line) => again.test(line)).length).toBe(attempt - 1);
  expect(lines.some((line) => line === `success: Job "${jobId}" execution finished.`)).toBe(true);
}

/** The job has ended, and nothing of it is loaded, now or later. */
async function expectGivenUp(jobId: string, status: string): Promise<void> {
  await expectNothing(jobId, status);
  expect((await harness.loadOf(jobId))?.verdict).toBe('abandoned');
}

async function expectNothing(jobId: string, status: string): Promise<void> {
  expect(await harness.ended(jobId)).toMatchObject({ status });
  expect(await harness.cells(tableId)).toBeUndefined();
  expect((await harness.configuration(configurationId))?.state).toBe('{}');
}

const ofSuccess = workPoints.filter((point) => point !== 'give up');
const moments = ['before', 'after'] as const;
const everywhere = ofSuccess.flatMap((point) => moments.map((moment) => ({ point, moment })));

/** Of a job that loads nothing. */
const ofFailure = moments.flatMap((moment) => (['give up', 'end'] as const).map((point) => ({ moment, point })));

/** What a job of a worker that died has as its attempt when the next one has brought it to its end. */
function attemptAfter({ point, moment }: Pick<Plan, 'point' | 'moment'>): number {
  if (point === 'take' && moment === 'before') return 1;
  return point === 'end' && moment === 'after' ? 1 : 2;
}

describe('D2, D3, J10: a job whose process dies', () => {
  test.each(everywhere)('$moment the point "$point" is taken over, and loads its tables once', async (at) => {
    const points = pointsOf({ ...at, fate: 'death' });
    const first = await start(points);
    const jobId = await ask();
    await points.reached;
    await first.kill();
    const before = await harness.job(jobId);
    expect(before.phase === 'ended').toBe(attemptAfter(at) === 1 && at.point === 'end');
    await start();
    await expectLoadedOnce(jobId, attemptAfter(at));
    await eventually(async () => expect((await harness.files()).filter((name) => name === `${jobId}-2`)).toEqual([]));
  });

  test.each(ofFailure)(
    '$moment the point "$point" of a job that fails ends in an error, and loads nothing',
    async (at) => {
      api.status = 404;
      const points = pointsOf({ ...at, fate: 'death' });
      const first = await start(points);
      const jobId = await ask();
      await points.reached;
      await first.kill();
      await start();
      await expectGivenUp(jobId, 'error');
    },
  );

  test.each(ofFailure)(
    '$moment the point "$point" of a job that was asked to end is terminated, and loads nothing',
    async (at) => {
      const gate = api.hold(10);
      const points = pointsOf({ ...at, fate: 'death' });
      const first = await start(points);
      const jobId = await ask();
      await gate.reached;
      await harness.kill(jobId);
      await points.reached;
      await first.kill();
      gate.open();
      await start();
      await expectGivenUp(jobId, 'terminated');
    },
  );

  test('three times ends in an error that says so, and nothing of it is loaded', async () => {
    const jobId = await ask();
    for (let death = 1; death <= 3; death += 1) await dieAt({ point: 'page', moment: 'after', fate: 'death' });
    expect(await harness.job(jobId)).toMatchObject({ phase: 'running', run: { attempt: 3 } });
    await start();
    await expectGivenUp(jobId, 'error');
    expect((await harness.ended(jobId)).result.message).toBe(
      'The job was given up: its process ended 3 times while it ran.',
    );
  });

  test('three times, the third time when its tables were loaded, ends in success', async () => {
    const jobId = await ask();
    for (let death = 1; death <= 2; death += 1) await dieAt({ point: 'page', moment: 'after', fate: 'death' });
    await dieAt({ point: 'load', moment: 'after', fate: 'death' });
    await start();
    await expectLoadedOnce(jobId, 3);
  });

  test('three times, and whose end was asked for, is terminated', async () => {
    const jobId = await ask();
    for (let death = 1; death <= 3; death += 1) await dieAt({ point: 'page', moment: 'after', fate: 'death' });
    await harness.kill(jobId);
    await start();
    await expectGivenUp(jobId, 'terminated');
  });
});

/** No page was asked for twice. */
function expectOneRun(): void {
  expect(api.seen.map((path) => new URL(path, api.url).searchParams.get('offset') ?? '0')).toEqual(['0', '10', '20']);
}

async function dieAt(plan: Plan): Promise<void> {
  const points = pointsOf(plan);
  const worker = await start(points);
  await points.reached;
  await worker.kill();
}

describe('J3: a job whose stores are away for a while', () => {
  test.each(everywhere.filter(({ point }) => point !== 'page'))(
    '$moment the point "$point" goes on where it was when they are back, and is not begun again',
    async (at) => {
      const points = pointsOf({ ...at, fate: 'away' });
      await start(points);
      const jobId = await ask();
      await points.reached;
      // Longer than everything that is tried a few times and no more.
      await eventually(() => expect(harness.heldUp.length).toBeGreaterThan(6));
      points.release();
      await expectLoadedOnce(jobId, 1);
      expectOneRun();
      await eventually(() => expect(harness.endings).toEqual([expect.objectContaining({ jobId, status: 'success' })]));
    },
  );

  test('for longer than a run may take ends in words, and loads nothing', async () => {
    const points = pointsOf({ point: 'load', moment: 'before', fate: 'away' });
    await start(points, { timeoutMs: 5000 });
    const jobId = await ask();
    await points.reached;
    const tired = 'The job was ended because it took more than 5 seconds.';
    const held =
      /^warn: The tables cannot be loaded at present; it is tried again until the time of the job is over\.$/;
    await eventually(() => expect(harness.heldUp.some(({ code }) => code === 'catalog.unavailable')).toBe(true));
    points.release();
    await expectGivenUp(jobId, 'error');
    expect((await harness.ended(jobId)).result).toMatchObject({ message: tired, error: { type: 'application' } });
    expect((await harness.lines(jobId)).filter((line) => held.test(line))).toHaveLength(1);
  });

  test('and the log of shares with them', async () => {
    const gate = api.hold(10);
    const share = new OwnShare(harness.log);
    const worker = await start(undefined, { share });
    const jobId = await ask();
    await gate.reached;
    share.away(true);
    await eventually(() => expect(worker.service.failure?.code).toBe('log.unavailable'));
    share.away(false);
    await eventually(() => expect(worker.service.failure).toBeUndefined());
    gate.open();
    await expectLoadedOnce(jobId, 1);
    expectOneRun();
  });

  test('lets its process leave, and is handed over', async () => {
    const gate = api.hold(10);
    const share = new OwnShare(harness.log);
    const worker = await start(undefined, { share });
    const jobId = await ask();
    await gate.reached;
    share.away(true);
    await eventually(() => expect(worker.service.failure?.code).toBe('log.unavailable'));
    await worker.drain();
    expect((await harness.job(jobId)).phase).toBe('waiting');
    gate.open();
    await start();
    await expectLoadedOnce(jobId, 1);
  });
});

describe('J3: a run that was stopped', () => {
  test.each(everywhere)(
    '$moment the point "$point" and goes on when another has ended the job changes nothing',
    async (at) => {
      const points = pointsOf({ ...at, fate: 'pause' });
      const zombie = await start(points);
      const jobId = await ask();
      await points.reached;
      await start();
      await expectLoadedOnce(jobId, attemptAfter(at));
      const [ended, state] = await Promise.all([harness.job(jobId), harness.configuration(configurationId)]);
      points.release();
      await eventually(() => expect(zombie.running.busy).toEqual([]));
      await expectLoadedOnce(jobId, attemptAfter(at));
      expect([await harness.job(jobId), await harness.configuration(configurationId)]).toEqual([ended, state]);
    },
  );

  test('before it took the job takes none that another runs', async () => {
    const gate = api.hold(10);
    const points = pointsOf({ point: 'take', moment: 'before', fate: 'pause' });
    const zombie = await start(points, { takeOverMs: 60_000 });
    const jobId = await ask();
    await points.reached;
    await start();
    await gate.reached;
    points.release();
    await eventually(() => expect(zombie.running.busy).toEqual([]));
    gate.open();
    await expectLoadedOnce(jobId, 1);
  });

  test.each(moments)('%s it gives the job up loads nothing twice and ends nothing', async (moment) => {
    api.status = 404;
    const points = pointsOf({ point: 'give up', moment, fate: 'pause' });
    const zombie = await start(points);
    const jobId = await ask();
    await points.reached;
    api.status = 200;
    await start();
    if (moment === 'before') await expectLoadedOnce(jobId, 2);
    else await expectGivenUp(jobId, 'error');
    const ended = await harness.job(jobId);
    points.release();
    await eventually(() => expect(zombie.running.busy).toEqual([]));
    expect(await harness.job(jobId)).toEqual(ended);
  });

  test('does not bring its state back when somebody has changed it since', async () => {
    const points = pointsOf({ point: 'state', moment: 'before', fate: 'pause' });
    const zombie = await start(points);
    const jobId = await ask();
    await points.reached;
    await start();
    await harness.ended(jobId);
    await harness.configure(configurationId, {});
    const later = await harness.configuration(configurationId);
    points.release();
    await eventually(() => expect(zombie.running.busy).toEqual([]));
    expect(await harness.configuration(configurationId)).toEqual(later);
  });

  test('asks its API for nothing more once another has ended the job', async () => {
    const jobId = await ask();
    for (let death = 1; death <= 2; death += 1) await dieAt({ point: 'take', moment: 'after', fate: 'death' });
    const gate = api.hold(10);
    const zombie = await start();
    await gate.reached;
    // It is the third run that seems to have died: nobody begins another one.
    await start();
    await expectGivenUp(jobId, 'error');
    // The page that it waits for never comes.
    await eventually(() => expect(zombie.running.busy).toEqual([]));
    gate.open();
  });
});

describe('J6: a job whose end is asked for', () => {
  const isLoaded = ({ point, moment }: { readonly point: WorkPoint; readonly moment: string }): boolean =>
    ['state', 'end'].includes(point) || (point === 'load' && moment === 'after');
  test.each(everywhere.filter(({ point }) => point !== 'end'))(
    '$moment the point "$point" ends soon, and is loaded whole or not at all',
    async (at) => {
      const jobId = await ask();
      await start(pointsOf({ ...at, fate: () => harness.kill(jobId) }));
      if (isLoaded(at)) await expectLoadedOnce(jobId, 1);
      else await expectNothing(jobId, at.point === 'take' && at.moment === 'before' ? 'cancelled' : 'terminated');
    },
  );

  test('while its tables are loaded is a success where they were loaded, though nobody heard of it', async () => {
    const jobId = await ask();
    const fate = async (waiting: Waiting): Promise<void> => {
      await harness.kill(jobId);
      await untilAborted(waiting);
    };
    await start(pointsOf({ point: 'load', moment: 'after', fate }));
    await expectLoadedOnce(jobId, 1);
  });

  test('while it is ended ends as it would have', async () => {
    const jobId = await ask();
    await start(pointsOf({ point: 'end', moment: 'before', fate: () => harness.kill(jobId) }));
    await expectLoadedOnce(jobId, 1);
  });
});
