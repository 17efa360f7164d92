import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { awkwardCells } from '../../../test/contract/awkward-cells.ts';
import { csvOf } from '../../../test/contract/staged-csv.ts';
import { parseIncarnation, type Incarnation } from '../../core/ids.ts';
import { parseTableId, type TableId } from '../../core/table-id.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { DuckDbConfig } from './config.ts';
import { openDuckDbTableStore } from './table-store.ts';

const mebibyte = 1024 * 1024;
const waiting = { signal: new AbortController().signal };
const tableId = parseTableId('in.c-shop.orders');
const incarnation = parseIncarnation(1);

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-duckdb-'));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const open = (change: Partial<DuckDbConfig> = {}): Promise<TableStore> =>
  openDuckDbTableStore({
    path: join(folder, 'tables.duckdb'),
    threads: 1,
    memoryLimitBytes: 64 * mebibyte,
    memoryCeilingBytes: 512 * mebibyte,
    tempDir: join(folder, 'tmp'),
    ...change,
  });

async function make(store: TableStore): Promise<void> {
  await store.createTable(tableId, ['a', 'b'], waiting);
  await store.createLedger(incarnation, waiting);
}

type Load = (store: TableStore, number: number, rows: readonly (readonly string[])[]) => Promise<string>;

const loadInto =
  (of: { readonly tableId: TableId; readonly incarnation: Incarnation }): Load =>
  async (store, number, rows) => {
    const localPath = join(tmpdir(), `millrace-slice-${randomBytes(8).toString('hex')}.csv`);
    await writeFile(localPath, csvOf(rows));
    const { size: bytes } = await stat(localPath);
    const neverOpened = (): Promise<never> => Promise.reject(new Error('it has a path'));
    const content = { name: 'slice', bytes, localPath, open: neverOpened };
    const expected = { rows: rows.length, dead: 0 };
    const request = { ...of, number, id: `import-${number}`, columns: ['a', 'b'] };
    try {
      return await store.import(
        { ...request, rows: [content], dead: [], expected, before: { rows: 0, dead: 0 } },
        waiting,
      );
    } finally {
      await rm(localPath);
    }
  };

const load = loadInto({ tableId, incarnation });

describe('opening the file', () => {
  it('D9: a file that is open in this process is data.locked, and free after it was closed', async () => {
    const first = await open();
    await expect(open()).rejects.toMatchObject({ code: 'data.locked' });
    await make(first);
    await first[Symbol.asyncDispose]();
    await using second = await open();
    expect(await second.describeTable(tableId, waiting)).toMatchObject({ columns: ['a', 'b'] });
  });

  it('D9: a file that is open in this process is data.locked by whichever way to its folder', async () => {
    await using _first = await open();
    const other = await mkdtemp(join(tmpdir(), 'millrace-duckdb-'));
    await symlink(folder, join(other, 'link'));
    const again = open({ path: join(other, 'link', 'tables.duckdb'), tempDir: join(other, 'tmp') });
    await expect(again).rejects.toMatchObject({ code: 'data.locked' });
    await rm(other, { recursive: true });
  });

  it('a store that is closed again frees nothing of the store that was opened after it', async () => {
    const first = await open();
    await Promise.all([first[Symbol.asyncDispose](), first[Symbol.asyncDispose]()]);
    await using _second = await open();
    await first[Symbol.asyncDispose]();
    await expect(open()).rejects.toMatchObject({ code: 'data.locked' });
  });

  it('D9: a file that another process has is data.locked and says which', async () => {
    await using _holder = await open();
    const room = JSON.stringify(pathToFileURL(join(import.meta.dirname, 'table-store.ts')).href);
    const config = { path: join(folder, 'tables.duckdb'), threads: 1, memoryLimitBytes: 64 * mebibyte };
    const other = spawnSync(process.execPath, [
      '--input-type=module',
      '--eval',
      `const { openDuckDbTableStore } = await import(${room});
       const config = ${JSON.stringify({ ...config, memoryCeilingBytes: 64 * mebibyte, tempDir: join(folder, 'tmp') })};
       console.log(await openDuckDbTableStore(config).catch((error) => error.code + ' ' + error.message));`,
    ]);
    expect(String(other.stdout)).toMatch(
      new RegExp(`^data.locked the table file ".*tables.duckdb" is in use by the process ${process.pid}`),
    );
  });

  it('D9: a file that is none, is cut off or is damaged is data.unusable and stays as it is', async () => {
    await (await open())[Symbol.asyncDispose]();
    const path = join(folder, 'tables.duckdb');
    const good = await readFile(path);
    const damaged = Buffer.from(good);
    for (let at = 12_400; at < damaged.length; at += 97) damaged[at] = (damaged[at] ?? 0) ^ 0xff;
    for (const bytes of [Buffer.from('x'.repeat(100_000)), good.subarray(0, 5000), damaged, Buffer.alloc(0)]) {
      await writeFile(path, bytes);
      await expect(open()).rejects.toMatchObject({ code: 'data.unusable' });
      expect((await readFile(path)).equals(bytes)).toBe(true);
    }
    await writeFile(path, good);
    await using store = await open();
    expect(await store.listTables(waiting)).toEqual([]);
  });

  it('D9: a path that DuckDB cannot take is refused before anything is made', async () => {
    await expect(open({ path: join(folder, 'a?b', 'tables.duckdb') })).rejects.toMatchObject({ code: 'data.unusable' });
    expect(await readdir(folder)).toEqual([]);
  });

  it('removes temporary files that a crash left', async () => {
    await mkdir(join(folder, 'tmp', 'tables'), { recursive: true });
    await writeFile(join(folder, 'tmp', 'tables', 'half.csv'), 'x');
    await writeFile(join(folder, 'tmp', 'other'), 'not ours');
    {
      await using _store = await open();
      expect(await readdir(join(folder, 'tmp', 'tables'))).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/)]);
      await expect(open()).rejects.toMatchObject({ code: 'data.locked' });
    }
    expect(await readdir(join(folder, 'tmp', 'tables'))).toEqual([]);
    expect(await readdir(join(folder, 'tmp'))).toContain('other');
  });

  it('D6: a start that spills while it replays the log goes on as any other', async () => {
    const rows = Array.from({ length: 10_000 }, (_, row) => [`${row}`, randomBytes(128).toString('hex')]);
    const before = join(folder, 'before');
    {
      await using store = await open({ memoryLimitBytes: 256 * mebibyte });
      await make(store);
      for (let number = 1; number <= 11; number += 1) expect(await load(store, number, rows)).toBe('loaded');
      // What a kill would leave: the log is written into the file when the store closes.
      await mkdir(before);
      for (const name of ['tables.duckdb', 'tables.duckdb.wal']) await copyFile(join(folder, name), join(before, name));
    }
    await using store = await open({ path: join(before, 'tables.duckdb'), memoryLimitBytes: 16 * mebibyte });
    for (let number = 12; number <= 15; number += 1) expect(await load(store, number, rows)).toBe('loaded');
  });
});

describe('running short', () => {
  const wide = Array.from({ length: 500 }, (_, row) => [`${row}`, `${row}${'{"key":1},'.repeat(10_000)}`]);

  it('D8: rows that need more memory than the limit load under the ceiling and come back', async () => {
    await using store = await open({ memoryLimitBytes: 32 * mebibyte });
    await make(store);
    expect(await load(store, 1, wide)).toBe('loaded');
    expect(await load(store, 2, [['small', '']])).toBe('loaded');
    const csv = await buffer(await store.exportTable(tableId, 'csv', waiting));
    expect(csv.equals(Buffer.from(csvOf([['a', 'b'], ...wide, ['small', '']])))).toBe(true);
  });

  it('D6: rows that need more than the ceiling are refused, change nothing, and load when it is raised', async () => {
    {
      await using store = await open({ memoryLimitBytes: 32 * mebibyte, memoryCeilingBytes: 32 * mebibyte });
      await make(store);
      await expect(load(store, 1, wide)).rejects.toMatchObject({
        code: 'table.outOfMemory',
        message: expect.stringContaining('MILLRACE_TABLES_MEMORY') as unknown,
      });
      expect(await store.readLedger(incarnation, waiting)).toMatchObject({ number: 0 });
      expect(await load(store, 1, [['small', '']])).toBe('loaded');
    }
    await using store = await open();
    expect(await load(store, 2, wide)).toBe('loaded');
    expect(await store.describeTable(tableId, waiting)).toMatchObject({ rows: 501 });
  });

  it('D6: long rows of one table, as many as memory does not hold at once, stop the imports of no other', async () => {
    const memory = { memoryLimitBytes: 96 * mebibyte, memoryCeilingBytes: 128 * mebibyte };
    const other = { tableId: parseTableId('in.c-shop.small'), incarnation: parseIncarnation(2) };
    const loadOther = loadInto(other);
    const long = (): string[][] => Array.from({ length: 10 }, () => ['', randomBytes(500_000).toString('hex')]);
    const log = (): Promise<readonly string[]> =>
      readdir(folder).then((names) => names.filter((name) => /wal/.test(name)));
    {
      await using store = await open(memory);
      await make(store);
      await store.createTable(other.tableId, ['a', 'b'], waiting);
      await store.createLedger(other.incarnation, waiting);
      for (let number = 1; number <= 24; number += 1) {
        expect(await load(store, number, long())).toBe('loaded');
        expect(await loadOther(store, number, [['', 'small']])).toBe('loaded');
      }
    }
    expect(await log()).toEqual([]);
    {
      await using store = await open(memory);
      expect(await loadOther(store, 25, [['', 'small']])).toBe('loaded');
    }
    expect(await log()).toEqual([]);
    await using store = await open(memory);
    expect(await store.describeTable(tableId, waiting)).toMatchObject({ rows: 240 });
    expect(await store.describeTable(other.tableId, waiting)).toMatchObject({ rows: 25 });
  });

  it('D6: long rows that nobody has marked stop no import for longer than one checkpoint', async () => {
    const other = { tableId: parseTableId('in.c-shop.small'), incarnation: parseIncarnation(2) };
    const rows = (count: number, bytes: number): string[][] =>
      Array.from({ length: count }, () => ['', randomBytes(bytes / 2).toString('hex')]);
    {
      await using store = await open();
      await make(store);
      await store.createTable(other.tableId, ['a', 'b'], waiting);
      await store.createLedger(other.incarnation, waiting);
      for (let number = 1; number <= 6; number += 1) expect(await load(store, number, rows(40, 1e6))).toBe('loaded');
    }
    await unmarked();
    await using store = await open({ memoryLimitBytes: 96 * mebibyte, memoryCeilingBytes: 128 * mebibyte });
    for (let number = 1; number <= 4; number += 1)
      expect(await loadInto(other)(store, number, rows(700, 30_000))).toBe('loaded');
    expect(await store.describeTable(other.tableId, waiting)).toMatchObject({ rows: 2800 });
  });

  it('D8: a full disk refuses the import, says so, loses nothing, and heals without a restart', async ({ skip }) => {
    const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64m', 'tmpfs', folder]).status === 0;
    if (!mounted) skip('a small tmpfs can be mounted by root only');
    try {
      await using store = await open();
      await make(store);
      const ballast = join(folder, 'ballast');
      await writeFile(ballast, Buffer.alloc(20 * mebibyte));
      const rows = Array.from({ length: 1500 }, (_, row) => [`${row}`, randomBytes(400).toString('hex')]);
      let number = 0;
      let refusal: unknown;
      while (refusal === undefined && number < 60) {
        number += 1;
        refusal = await load(store, number, rows).then(
          () => undefined,
          (error: unknown) => error,
        );
      }
      expect(refusal).toMatchObject({ code: 'table.unavailable', message: 'the disk of the table store is full' });
      const before = await store.readLedger(incarnation, waiting);
      expect([number - 1, number]).toContain(before?.number);
      expect(await store.describeTable(tableId, waiting)).toMatchObject({ rows: (before?.number ?? 0) * rows.length });
      await rm(ballast);
      expect(await load(store, number, rows)).toBe('loaded');
      expect(await store.describeTable(tableId, waiting)).toMatchObject({ rows: number * rows.length });
    } finally {
      spawnSync('umount', [folder]);
    }
  });
});

/** As an earlier version of the product leaves the file. */
async function unmarked(): Promise<void> {
  const instance = await DuckDBInstance.create(':memory:', { max_vacuum_tasks: '0' });
  const connection = await instance.connect();
  await connection.run(`ATTACH '${join(folder, 'tables.duckdb')}' AS store`);
  await connection.run(`COMMENT ON TABLE store."in.c-shop"."orders" IS NULL`);
  connection.closeSync();
  instance.closeSync();
}

describe('exports', () => {
  it('a Parquet file is read back with the same rows, and no temporary file stays', async () => {
    await using store = await open();
    await make(store);
    const rows = awkwardCells.map((cell, at) => [`${at}`, cell]);
    await load(store, 1, rows);
    const path = join(folder, 'orders.parquet');
    await writeFile(path, await buffer(await store.exportTable(tableId, 'parquet', waiting)));
    const [own = ''] = await readdir(join(folder, 'tmp', 'tables'));
    expect(await readdir(join(folder, 'tmp', 'tables', own))).toEqual([]);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const found = await connection.runAndReadAll(`SELECT a, hex(b) FROM read_parquet('${path}')`);
    connection.closeSync();
    instance.closeSync();
    expect(found.getRows()).toEqual(rows.map(([a, b = '']) => [a, Buffer.from(b).toString('hex').toUpperCase()]));
  });
});
