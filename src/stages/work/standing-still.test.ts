import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { ItemApi, itemConfiguration } from '../../../test/support/item-api.ts';
import { OwnShare } from '../../../test/support/own-share.ts';
import { numbers, openLoopback, WorkHarness, type Worker } from '../../../test/support/work-harness.ts';
import { WorkPoints } from '../../../test/support/work-points.ts';
import { lifeCertainMs } from '../../core/jobs/life-sign.ts';
import { lifeSignPrefix } from '../../documents/life-sign-document.ts';
import type { TableLoads } from '../../ports/table-loads.ts';
import { systemClock } from '../../runtime/system-clock.ts';

let api: ItemApi;
let harness: WorkHarness;
let workers: Worker[];
let number = 0;

beforeAll(async () => {
  [api, harness] = await Promise.all([ItemApi.open(25), WorkHarness.open()]);
});

afterAll(async () => {
  await harness[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

beforeEach(() => {
  workers = [];
  api.seen.length = 0;
});

afterEach(async () => {
  for (const worker of workers) await worker.kill();
});

/** A worker among others, which has every share. */
async function start(given: Parameters<WorkHarness['work']>[0] = {}): Promise<Worker> {
  const worker = await harness.work({ workLog: new OwnShare(harness.log).log, hasOthers: true, ...given });
  workers.push(worker);
  return worker;
}

/** A job whose table shows what is loaded twice. */
async function ask(): Promise<string> {
  number += 1;
  const configurationId = `still-${number}`;
  const config = { outputBucket: configurationId, incrementalOutput: true };
  await harness.configure(configurationId, itemConfiguration(api.url, config));
  return harness.ask({ configurationId });
}

async function expectLoadedOnce(jobId: string, attempt: number): Promise<void> {
  expect(await harness.ended(jobId)).toMatchObject({ status: 'success', run: { attempt } });
  expect(await harness.cells(`in.c-still-${number}.items`)).toEqual(numbers(25));
}

const offsets = (): readonly string[] =>
  api.seen.map((path) => new URL(path, api.url).searchParams.get('offset') ?? '0');
/** Nobody is taken for ended. */
const never = { takeOverMs: 3_600_000 };

describe('J3: a job that another process runs', () => {
  test('stays there while that process says that it lives, whoever has its share', async () => {
    const gate = api.hold(10);
    const share = new OwnShare(harness.log);
    const first = await start({ workLog: share.log, ...never });
    const jobId = await ask();
    await gate.reached;
    share.deal(false);
    const second = await start(never);
    const rounds = (): unknown => Reflect.get(second.service.current, 'rounds');
    await eventually(() => expect(rounds()).toBeGreaterThan(1));
    expect([first.running.busy.length, second.running.busy.length]).toEqual([1, 0]);
    gate.open();
    await expectLoadedOnce(jobId, 1);
    expect(offsets()).toEqual(['0', '10', '20']);
  });

  test('is loaded once, by whoever is first, when a process stood still right before it loads', async () => {
    const stores = { catalog: harness.catalog, loads: harness.tables, openHttp: openLoopback };
    const points = new WorkPoints({ point: 'load', moment: 'before', fate: 'pause' }, stores);
    const faults = new Faults();
    const { loads, openHttp } = points;
    const zombie = await start({ catalog: faults.before('catalog', points.catalog), loads, openHttp, ...never });
    const jobId = await ask();
    await points.reached;
    faults.away('catalog');
    await eventually(() => expect(zombie.service.failure?.code).toBe('catalog.unavailable'));
    const gate = api.hold(10);
    await start();
    await gate.reached;
    points.release();
    await eventually(async () => expect((await harness.loadOf(jobId))?.verdict).toBe('loaded'));
    faults.back('catalog');
    await eventually(() => expect(zombie.running.busy).toEqual([]));
    expect((await harness.job(jobId)).phase).toBe('running');
    gate.open();
    await expectLoadedOnce(jobId, 2);
  });
});

describe('J3: a process that stood still, and whose job was taken over meanwhile', () => {
  const signOf = async ({ running }: Worker): Promise<number | undefined> =>
    (await harness.catalog.get('meta', lifeSignPrefix + running.owner, { signal: new AbortController().signal }))
      ?.revision;

  /**
   * A worker that runs a job, and that hears nothing from its catalog while it stands still, nor after it, unless it says that it
   * lives before it has what it asked for.
   */
  async function zombieAt(offset: number, saysFirst = false) {
    const faults = new Faults();
    let stoodStillMs = 0;
    let loaded = 0;
    const loads: TableLoads = new Proxy(harness.tables, {
      get: (of, name) => {
        if (name === 'load') loaded += 1;
        const member: unknown = Reflect.get(of, name, of);
        return typeof member === 'function' ? (member.bind(of) as unknown) : member;
      },
    });
    const gate = api.hold(offset);
    const zombie = await start({
      ...never,
      catalog: faults.before('catalog', harness.catalog),
      loads,
      clock: {
        now: () => systemClock.now(),
        monotonic: () => systemClock.monotonic() + stoodStillMs,
        sleep: (ms, waiting) => systemClock.sleep(ms, waiting),
      },
    });
    const jobId = await ask();
    await gate.reached;
    faults.away('catalog');
    await eventually(() => expect(zombie.service.failure?.code).toBe('catalog.unavailable'));
    stoodStillMs = lifeCertainMs;
    await start();
    await eventually(async () => expect(await harness.job(jobId)).toMatchObject({ run: { attempt: 2 } }));
    if (saysFirst) {
      const sign = await signOf(zombie);
      faults.back('catalog');
      await eventually(async () => {
        if ((await signOf(zombie)) === sign) throw new Error('it has not said yet that it lives');
      });
    }
    gate.open();
    await expectLoadedOnce(jobId, 2);
    faults.back('catalog');
    await eventually(() => expect(zombie.running.busy).toEqual([]));
    return { loaded: () => loaded };
  }

  test('asks its API for nothing more', async () => {
    await zombieAt(10);
    expect(offsets().filter((offset) => offset === '20')).toHaveLength(1);
  });

  test('asks for nothing either when it has said meanwhile that it lives', async () => {
    await zombieAt(10, true);
    expect(offsets().filter((offset) => offset === '20')).toHaveLength(1);
  });

  test('loads nothing', async () => {
    const { loaded } = await zombieAt(20);
    expect(loaded()).toBe(0);
  });
});
