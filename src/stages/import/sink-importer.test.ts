import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownEverything } from '../../../test/support/own-everything.ts';
import { endsAt, progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { remapHere } from '../../../test/support/remap-here.ts';
import { openDuckDbTableStore } from '../../adapters/duckdb/table-store.ts';
import { openFileSystemObjectStore } from '../../adapters/filesystem/object-store.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../adapters/lmdb/event-log.ts';
import { mappingId, progressId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { limits } from '../../core/limits.ts';
import { objectName } from '../../core/object-name.ts';
import { isRefused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { close } from '../../core/progress/switch.ts';
import { RunningTime } from '../../core/running-time.ts';
import { parseTableId } from '../../core/table-id.ts';
import type { Tables } from '../../ports/tables.ts';
import { StatusBoard } from '../status/status-board.ts';
import type { ReadProgress } from '../replica/progress-document.ts';
import { ImportHistory } from './import-history.ts';
import { Trigger } from '../../core/trigger.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import { SinkImporter, type SinkImporterOptions } from './sink-importer.ts';
import { silentImports } from '../../../test/support/silent-imports.ts';

const never = { signal: new AbortController().signal };
const tableId = parseTableId('in.c-shop.orders');
const trigger = new Trigger({ count: 1000, sizeBytes: 1e6, intervalMs: 30_000, slices: 100 });

/** Wall time jumps as the test likes; the monotonic one goes on. */
const time = { wall: Date.UTC(2024, 5, 1), monotonic: 0 };
const clock = {
  now: () => time.wall,
  monotonic: () => time.monotonic,
  sleep: () => Promise.resolve(),
};

let stack: AsyncDisposableStack;
let options: SinkImporterOptions;
let importer: SinkImporter;

beforeEach(async () => {
  Object.assign(time, { wall: Date.UTC(2024, 5, 1), monotonic: 0 });
  stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-importer-'));
  stack.defer(() => rm(folder, { recursive: true }));
  const catalog = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
  const log = { path: join(folder, 'log'), clock, instance: 'main', first: true };
  const sinkLog = stack.use(await openLmdbEventLog(log));
  const objects = stack.use(
    await openFileSystemObjectStore({ folder: join(folder, 'staging'), removeLeftovers: true }),
  );
  const file = { path: join(folder, 'tables.duckdb'), tempDir: join(folder, 'tmp'), threads: 1 };
  const tables = stack.use(await openDuckDbTableStore({ ...file, memoryLimitBytes: 96 * 1024 ** 2 }));
  let made = 0;
  options = {
    catalog,
    sourceLog: sinkLog,
    sinkLog,
    objects,
    tables,
    ledger: tables,
    letters: tables,
    remapper: remapHere,
    ownership: ownEverything,
    clock,
    rights: { check: () => Promise.resolve() },
    status: new StatusBoard({
      member: 'one',
      catalog,
      clock,
      role: 'import',
      observer: { sinkFailed: () => undefined, sinkHealed: () => undefined },
    }),
    observer: silentImports,
    history: new ImportHistory(catalog),
    running: new RunningTime(limits.importerStepMs),
    unique: () => String((made += 1)),
    trigger: () => trigger,
    retry: new RetryPacing({ firstMs: 1000, capMs: 60_000 }, () => 0.5),
  };
  importer = new SinkImporter(options, progressOf(0).incarnation);
  await stageSlices();
});

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

/** A sink whose two events wait in two slices: the first of mapping version 1, the second of version 2 with a table of its own. */
async function stageSlices(): Promise<void> {
  const { catalog, objects, tables, ledger } = options;
  const before = progressOf(0);
  const { incarnation } = before;
  const staged = await Promise.all(
    [1, 2].map(async (version) => {
      const name = objectName({ incarnation, partition: 0, stamp: 1, unique: String(version), part: 'rows' });
      const rowsObject = await objects.put(name, { kind: 'bytes', bytes: Buffer.from(`"${version}"\n`) }, never);
      return sliceOf({
        id: String(version),
        from: version - 2,
        to: version - 1,
        mappingVersion: version,
        rowsObject,
        stagedAt: time.wall,
      });
    }),
  );
  for (const version of [1, 2]) {
    const value = {
      incarnation,
      version,
      tableId: tableOf(version),
      columns: [{ type: 'body', name: 'body' }],
      allowedSignals: [],
    };
    await catalog.compareAndSet(
      { collection: 'mapping', id: mappingId(incarnation, version), expected: undefined, value },
      never,
    );
    await tables.createTable(tableOf(version), ['body'], never);
  }
  await ledger.createLedger(incarnation, never);
  const value: SinkProgress = { ...before, mappingVersion: 2, staged };
  await catalog.compareAndSet(
    { collection: 'progress', id: progressId(incarnation), expected: undefined, value },
    never,
  );
}

function tableOf(version: number) {
  return version === 1 ? tableId : parseTableId(`in.c-shop.orders${version}`);
}

async function held(): Promise<ReadProgress> {
  const found = await options.catalog.get('progress', progressId(progressOf(0).incarnation), never);
  return { revision: found?.revision ?? 0, value: progressDocuments.parse(found?.value) };
}

async function progress(): Promise<SinkProgress> {
  return (await held()).value;
}

/** Runs the importer as the service does: when it says that it is due. */
async function workIfDue(): Promise<void> {
  const dueAt = importer.dueAt(await held(), time.monotonic);
  if (dueAt !== undefined && dueAt <= time.monotonic) await importer.work(never);
}

async function rowsOf(tables: Tables, version: number): Promise<number> {
  return (await tables.describeTable(tableOf(version), never))?.rows ?? 0;
}

describe('step 2', () => {
  it('D5: imports when the interval has passed since something was staged, though nothing else happens', async () => {
    expect(importer.dueAt(await held(), 0)).toBe(30_000);
    time.monotonic = 29_999;
    await workIfDue();
    expect(await rowsOf(options.tables, 1)).toBe(0);
    time.monotonic = 30_000;
    await workIfDue();
    expect(await rowsOf(options.tables, 1)).toBe(1);
  });

  it('D5: a process that restarts more often than the interval imports all the same', async () => {
    for (let restart = 0; restart < 3; restart += 1) {
      // Another process has another monotonic clock.
      time.monotonic = 1_000_000 * restart;
      importer = new SinkImporter(options, progressOf(0).incarnation);
      expect(importer.dueAt(await held(), time.monotonic)).toBe(time.monotonic + 30_000 - 10_000 * restart);
      time.wall += 10_000;
      time.monotonic += 10_000;
      await workIfDue();
    }
    expect(await rowsOf(options.tables, 1)).toBe(1);
  });

  it('D5: a process that starts after its clock was set back by more than the interval imports at once', async () => {
    time.wall -= 3_600_000;
    await workIfDue();
    expect(await rowsOf(options.tables, 1)).toBe(1);
  });

  it('a deleted sink with nothing left to do is due at the moment in which that is asked, though the clock goes on meanwhile', async () => {
    const { revision, value } = await held();
    const spent = close({ ...value, staged: [] }, endsAt((value.entries[0]?.source ?? 0) + 1), { deleted: true });
    if (isRefused(spent)) throw new Error(spent.reason);
    const asked = time.monotonic;
    time.monotonic += 1;
    expect(importer.dueAt({ revision, value: spent }, asked)).toBe(asked);
  });

  it('A38: a clock that jumps an hour back and forth imports neither sooner nor later, and once', async () => {
    await workIfDue();
    for (const jump of [3_600_000, -7_200_000, 3_600_000]) {
      time.wall += jump;
      time.monotonic += 9_999;
      await workIfDue();
      expect((await progress()).totals[0]?.rows ?? 0).toBe(0);
    }
    time.wall -= 3_600_000;
    time.monotonic = 30_000;
    await workIfDue();
    await workIfDue();
    expect([await rowsOf(options.tables, 1), await rowsOf(options.tables, 2)]).toEqual([1, 1]);
    expect((await progress()).totals[0]?.rows).toBe(2);
    time.wall += 7_200_000;
    time.monotonic = 90_000;
    await workIfDue();
    expect(await rowsOf(options.tables, 1)).toBe(1);
  });

  it('D6: slices that do not fit are parked and tried on a clock of their own, while later versions go on', async () => {
    await options.tables.dropTable(tableOf(1), never);
    await workIfDue();
    time.monotonic = 30_000;
    await workIfDue();
    expect(await rowsOf(options.tables, 2)).toBe(1);
    expect((await progress()).parked).toHaveLength(1);
    expect(importer.dueAt(await held(), time.monotonic)).toBe(31_000);
    time.monotonic = 31_000;
    await workIfDue();
    expect(importer.dueAt(await held(), time.monotonic)).toBe(33_000);
    expect(options.status.attempts({ incarnation: progressOf(0).incarnation })).toBe(2);
    await options.tables.createTable(tableOf(1), ['body'], never);
    time.monotonic = 33_000;
    await workIfDue();
    expect(await rowsOf(options.tables, 1)).toBe(1);
    expect(await progress()).toMatchObject({ parked: [], staged: [], totals: { 0: { rows: 2 } } });
    expect(options.status.attempts({ incarnation: progressOf(0).incarnation })).toBe(0);
  });

  it('D6: whoever changes the sink sees at once whether that has healed it', async () => {
    await options.tables.dropTable(tableOf(1), never);
    await workIfDue();
    time.monotonic = 30_000;
    await workIfDue();
    await options.tables.createTable(tableOf(1), ['body'], never);
    await workIfDue();
    expect(await rowsOf(options.tables, 1)).toBe(0);
    importer.hurry();
    await workIfDue();
    expect(await rowsOf(options.tables, 1)).toBe(1);
  });

  it('a copy of the document that is older than what was read asks for nothing, unless it stays older', async () => {
    const before = await held();
    await workIfDue();
    time.monotonic = 30_000;
    expect(importer.dueAt(before, time.monotonic)).toBe(30_000);
    await importer.work(never);
    // By then a copy that only lags is the newest: an older one is what the catalog was brought back to, and is read.
    expect(importer.dueAt(before, time.monotonic)).toBe(35_000);
    expect(importer.dueAt(await held(), time.monotonic)).toBe(30_000);
  });
});
