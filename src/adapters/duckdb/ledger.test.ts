import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseIncarnation } from '../../core/ids.ts';
import { parseTableId } from '../../core/table-id.ts';
import type { TableStore } from '../../ports/table-store.ts';
import { openDuckDbTableStore } from './table-store.ts';

const waiting = { signal: new AbortController().signal };
const incarnation = parseIncarnation(7);
const tableId = parseTableId('in.c-shop.orders');

let folder: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-ledger-'));
});

afterEach(async () => {
  await rm(folder, { recursive: true });
});

async function sql(...statements: readonly string[]): Promise<void> {
  const instance = await DuckDBInstance.create(join(folder, 'tables.duckdb'));
  const connection = await instance.connect();
  for (const statement of statements) await connection.run(statement);
  connection.closeSync();
  instance.closeSync();
}

/** As version 0.1 makes and fills it. */
async function earlierLedger(): Promise<void> {
  await sql(
    'CREATE SCHEMA "millrace"',
    'CREATE TABLE "millrace"."ledger" (incarnation BIGINT, number BIGINT, id VARCHAR, verdict VARCHAR)',
    `INSERT INTO "millrace"."ledger" VALUES (7, 3, 'three', 'loaded')`,
  );
}

function open(): Promise<TableStore> {
  const config = { path: join(folder, 'tables.duckdb'), tempDir: join(folder, 'tmp'), threads: 1 };
  return openDuckDbTableStore({ ...config, memoryLimitBytes: 96 * 1024 ** 2 });
}

function empty(number: number, before: { readonly rows: number; readonly dead: number }) {
  const at = { incarnation, number, id: `import-${number}`, tableId, columns: ['a'] };
  return { ...at, rows: [], dead: [], expected: { rows: 0, dead: 0 }, before };
}

it('D4: a ledger of an earlier version opens, and begins to count with what the document has counted', async () => {
  await earlierLedger();
  await using store = await open();
  await store.createTable(tableId, ['a'], waiting);
  expect(await store.readLedger(incarnation, waiting)).toEqual({ number: 3, id: 'three', verdict: 'loaded' });
  await store.abandon(incarnation, { number: 4, id: 'four' }, waiting);
  expect(await store.readLedger(incarnation, waiting)).toEqual({ number: 4, id: 'four', verdict: 'abandoned' });
  await store.import(empty(5, { rows: 40, dead: 2 }), waiting);
  expect((await store.readLedger(incarnation, waiting))?.loaded).toEqual({ rows: 40, dead: 2 });
  await store.import(empty(6, { rows: 1000, dead: 1000 }), waiting);
  expect((await store.readLedger(incarnation, waiting))?.loaded).toEqual({ rows: 40, dead: 2 });
});

it('D3: a file of an earlier version gets the ledger of loads, and its tables are without a key until one is loaded', async () => {
  await earlierLedger();
  await sql('CREATE SCHEMA "in.c-shop"', 'CREATE TABLE "in.c-shop".orders (a VARCHAR NOT NULL)');
  await using store = await open();
  expect(await store.readLoad('job/1', waiting)).toBeUndefined();
  await store.openLoad('job/1', waiting);
  const table = { tableId, columns: ['a'], primaryKey: ['a'], isIncremental: true, rows: [], expectedRows: 0 };
  expect((await store.describeTable(tableId, waiting))?.primaryKey).toEqual([]);
  await store.load('job/1', { tables: [table], note: '' }, waiting);
  expect((await store.describeTable(tableId, waiting))?.primaryKey).toEqual(['a']);
});

it('D4: counts are not told where an earlier version moved the row since, and begin anew', async () => {
  await using stack = new AsyncDisposableStack();
  {
    await using store = await open();
    await store.createTable(tableId, ['a'], waiting);
    await store.createLedger(incarnation, waiting);
    await store.import(empty(1, { rows: 0, dead: 0 }), waiting);
    expect((await store.readLedger(incarnation, waiting))?.loaded).toEqual({ rows: 0, dead: 0 });
  }
  await sql(`UPDATE "millrace"."ledger" SET number = 2, id = 'two', verdict = 'loaded'`);
  const store = stack.use(await open());
  expect(await store.readLedger(incarnation, waiting)).toEqual({ number: 2, id: 'two', verdict: 'loaded' });
  await store.import(empty(3, { rows: 9, dead: 1 }), waiting);
  expect((await store.readLedger(incarnation, waiting))?.loaded).toEqual({ rows: 9, dead: 1 });
});
