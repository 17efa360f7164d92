import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { crc32 } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { csvOf } from '../../../test/contract/staged-csv.ts';
import { openTablesIn } from '../../../test/support/killed-tables.ts';
import { crc32Checksum } from '../../core/checksum.ts';
import { parseTableId } from '../../core/table-id.ts';
import type { LoadRequest } from '../../ports/table-loads.ts';
import type { TableStore } from '../../ports/table-store.ts';

const waiting = { signal: new AbortController().signal };
const tableId = parseTableId('in.c-shop.orders');
const line = csvOf([['1', 'xx']]);

let folder: string;
let store: TableStore;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-altered-'));
  store = await openTablesIn(folder);
  await store.openLoad('job/1', waiting);
});
afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Of one row, in a file of this machine that holds other bytes of the same length, or these. */
async function request(csv: string, change: { readonly isIncremental?: boolean } = {}): Promise<LoadRequest> {
  const localPath = join(folder, 'rows.csv');
  await writeFile(localPath, csv);
  const open = (): Promise<never> => Promise.reject(new Error('it has a path'));
  const content = { name: 'rows', bytes: line.length, checksum: crc32Checksum(crc32(line)), localPath, open };
  const table = { tableId, columns: ['a', 'b'], primaryKey: ['a', 'b'], isIncremental: true, ...change };
  return { tables: [{ ...table, rows: [content], expectedRows: 1 }], note: '' };
}

/** What somebody does with the file while the product does not run. */
async function byHand(sql: string): Promise<void> {
  await store[Symbol.asyncDispose]();
  const instance = await DuckDBInstance.create(join(folder, 'tables.duckdb'));
  const connection = await instance.connect();
  await connection.run(sql).finally(() => {
    connection.closeSync();
    instance.closeSync();
  });
  store = await openTablesIn(folder);
}

it('D2: a file that was altered is objects.corrupt, and nothing of it is loaded', async () => {
  const altered = store.load('job/1', await request(line.replace('xx', 'xy')), waiting);
  await expect(altered).rejects.toMatchObject({ code: 'objects.corrupt', details: { object: 'rows' } });
  expect(await store.describeTable(tableId, waiting)).toBeUndefined();
  expect(await store.load('job/1', await request(line), waiting)).toMatchObject({ verdict: 'loaded' });
  expect((await store.preview(tableId, { limit: 9 }, waiting)).rows).toEqual([['1', 'xx']]);
});

it('D3: a key of which a column was dropped by hand is none, and replaces nothing', async () => {
  await store.load('job/1', await request(line), waiting);
  await byHand('ALTER TABLE "in.c-shop".orders DROP COLUMN b');
  expect((await store.describeTable(tableId, waiting))?.primaryKey).toEqual([]);
});

it('D3: a key follows a table and a column that were renamed by hand', async () => {
  await store.load('job/1', await request(line), waiting);
  await byHand('ALTER TABLE "in.c-shop".orders RENAME COLUMN b TO z');
  await byHand('ALTER TABLE "in.c-shop".orders RENAME TO bought');
  const renamed = await store.describeTable(parseTableId('in.c-shop.bought'), waiting);
  expect(renamed).toMatchObject({ columns: ['a', 'z'], primaryKey: ['a', 'z'], rows: 1 });
});

it('D9: a load whose rows would take an index with them that was made by hand is table.inUse', async () => {
  await store.load('job/1', await request(line), waiting);
  await byHand('CREATE INDEX ix ON "in.c-shop".orders (a)');
  await store.openLoad('job/2', waiting);
  const refused = store.load('job/2', await request(line, { isIncremental: false }), waiting);
  await expect(refused).rejects.toMatchObject({ code: 'table.inUse' });
  expect(await store.readLoad('job/2', waiting)).toMatchObject({ verdict: 'open' });
  expect((await store.preview(tableId, { limit: 9 }, waiting)).rows).toEqual([['1', 'xx']]);
});
