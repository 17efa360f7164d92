import { rmSync, statfsSync, writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { JobDisk } from '../../src/stages/work/job-disk.ts';
import { eventually } from '../support/eventually.ts';
import { ItemApi, itemConfiguration } from '../support/item-api.ts';
import { TemporaryDisk } from '../support/temporary-disk.ts';
import { numbers, openLoopback, WorkHarness } from '../support/work-harness.ts';
import { WorkPoints } from '../support/work-points.ts';

const disk = TemporaryDisk.mount(256);
const path = disk?.path ?? '';
const ballast = join(path, 'ballast');
const items = 100_000;
const full = 'The job was ended because the disk of this process is full. Nothing was loaded.';

let api: ItemApi;
let harness: WorkHarness;

/** Leaves so many bytes to whoever else writes. */
function fill(left = 0): void {
  const { bavail, bsize } = statfsSync(path);
  writeFileSync(ballast, Buffer.alloc(bavail * bsize - left, 1));
}

const run = async () => harness.ended(await harness.ask({ configurationId: 'shop' }));

const leftOnDisk = async (): Promise<readonly string[]> => (await readdir(path)).filter((name) => name !== 'ballast');

async function expectNothing(): Promise<void> {
  expect(await harness.cells('in.c-shop.items')).toBeUndefined();
  await eventually(async () => expect(await leftOnDisk()).toEqual([]));
}

async function open(within?: string): Promise<void> {
  [api, harness] = await Promise.all([ItemApi.open(items), WorkHarness.open(within === undefined ? {} : { within })]);
  await harness.configure('shop', itemConfiguration(api.url, { limit: 1000, incrementalOutput: true }));
}

afterEach(async () => {
  rmSync(ballast, { force: true });
  await harness[Symbol.asyncDispose]();
  await api[Symbol.asyncDispose]();
});

afterAll(() => disk?.[Symbol.dispose]());

describe.skipIf(disk === undefined)('J13: a job whose local files find no room', () => {
  beforeEach(() => open());

  const work = (bytes = 1e9) =>
    harness.work({ folder: path, disk: new JobDisk({ folder: path, bytes, reserveBytes: 0 }) });

  // What the API answered is written first, and the rows of tables are made of it.
  it.each([
    ['while pages come', { from: 35_000, left: 0 }],
    ['behind the last page', { from: 99_000, left: 1_500_000 }],
  ])('%s ends in words, frees what it had, and is asked for anew with success', async (_when, { from, left }) => {
    const gate = api.hold(from);
    await work();
    const jobId = await harness.ask({ configurationId: 'shop' });
    await gate.reached;
    fill(left);
    gate.open();
    const { status, result } = await harness.ended(jobId);
    expect([status, result.message, result.error?.type]).toEqual(['error', full, 'application']);
    await expectNothing();
    rmSync(ballast);
    expect(await run()).toMatchObject({ status: 'success', result: { tables: [{ rows: items }] } });
    expect(await harness.cells('in.c-shop.items')).toEqual(numbers(items));
    await eventually(async () => expect(await leftOnDisk()).toEqual([]));
  });

  it('again and again leaves as much of the disk to others as before', async () => {
    // One job fits.
    await work(8_000_000);
    fill();
    for (let time = 0; time < 5; time += 1) expect((await run()).result.message).toBe(full);
    rmSync(ballast);
    expect((await run()).status).toBe('success');
  });

  it('because the disk was made read-only ends in words that name no path, and the operator finds the cause', async () => {
    const gate = api.hold(99_000);
    await work();
    const jobId = await harness.ask({ configurationId: 'shop' });
    await gate.reached;
    try {
      // Not while it is written to.
      await eventually(() => disk?.makeReadOnly());
    } finally {
      gate.open();
    }
    const { status, result } = await harness.ended(jobId);
    disk?.makeWritable();
    expect(status).toBe('error');
    expect(result.message).toBe(
      'The job was ended because its files on the disk of this process could not be read or written: EROFS. Nothing was loaded.',
    );
    // Why its files could not be removed is told, too.
    expect(harness.broken).toHaveLength(2);
    expect(harness.broken).toContainEqual(expect.objectContaining({ code: 'EROFS', syscall: 'open' }));
    expect(await harness.cells('in.c-shop.items')).toBeUndefined();
  });
});

describe.skipIf(disk === undefined)('J13: a job whose tables find no room', () => {
  const begin = async (timeoutMs: number): Promise<string> => {
    const points = new WorkPoints(
      { point: 'load', moment: 'before', fate: async () => fill() },
      { catalog: harness.catalog, loads: harness.tables, openHttp: openLoopback },
    );
    const { catalog, loads, openHttp } = points;
    await harness.work({ catalog, loads, openHttp, timeoutMs });
    const jobId = await harness.ask({ configurationId: 'shop' });
    await points.reached;
    return jobId;
  };
  const saysFull = () =>
    eventually(() =>
      expect(harness.heldUp.map(({ message }) => message)).toContain('the disk of the table store is full'),
    );

  beforeEach(() => open(path));

  it('goes on when there is room again, and is loaded once', async () => {
    const jobId = await begin(60_000);
    await saysFull();
    rmSync(ballast);
    expect(await harness.ended(jobId)).toMatchObject({ status: 'success', run: { attempt: 1 } });
    expect(await harness.cells('in.c-shop.items')).toEqual(numbers(items));
  });

  it('ends in words when the time of its run is over, and frees what it had', async () => {
    const jobId = await begin(12_000);
    await saysFull();
    const { status, result } = await harness.ended(jobId);
    expect([status, result.message]).toEqual(['error', 'The job was ended because it took more than 12 seconds.']);
    expect(await harness.cells('in.c-shop.items')).toBeUndefined();
    await eventually(async () => expect(await harness.files()).toEqual([]));
    rmSync(ballast);
    expect((await run()).status).toBe('success');
  });
});
