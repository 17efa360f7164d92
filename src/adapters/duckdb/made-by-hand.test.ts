import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { importRequest } from '../../../test/contract/import-request.ts';
import type { ColumnChange } from '../../core/column-change.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { parseTableId } from '../../core/table-id.ts';
import type { TableStore } from '../../ports/table-store.ts';
import { openDuckDbTableStore } from './table-store.ts';

const mebibyte = 1024 * 1024;
const waiting = { signal: new AbortController().signal };
const tableId = parseTableId('in.c-shop.orders');
const renamedTo = parseTableId('in.c-shop.bought');
const incarnation = parseIncarnation(1);

const none: ColumnChange = { before: ['a', 'b'], dropped: [], renamed: [], added: [] };
const dropA: ColumnChange = { ...none, dropped: ['a'] };
const dropB: ColumnChange = { ...none, dropped: ['b'] };
const renameA: ColumnChange = { ...none, renamed: [{ from: 'a', to: 'z' }] };
const addC: ColumnChange = { ...none, added: ['c'] };

let folder: string;
let store: TableStore;

const open = (): Promise<TableStore> =>
  openDuckDbTableStore({
    path: join(folder, 'tables.duckdb'),
    threads: 1,
    memoryLimitBytes: 64 * mebibyte,
    memoryCeilingBytes: 512 * mebibyte,
    tempDir: join(folder, 'tmp'),
  });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-by-hand-'));
  store = await open();
  await store.createTable(tableId, ['a', 'b'], waiting);
  await store.createLedger(incarnation, waiting);
  await store.import(importRequest({ incarnation, tableId }, 1, [['1', '2']]), waiting);
});

afterEach(async () => {
  await store[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** What somebody does with the file while the product does not run; answers what the last statement finds. */
async function byHand(...statements: readonly string[]): Promise<readonly unknown[]> {
  await store[Symbol.asyncDispose]();
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  await connection.run(`ATTACH '${join(folder, 'tables.duckdb')}' AS store`);
  let found: readonly unknown[] = [];
  try {
    await connection.run('USE store."in.c-shop"');
    for (const sql of statements) found = (await connection.runAndReadAll(sql)).getRows();
  } finally {
    connection.closeSync();
    instance.closeSync();
    store = await open();
  }
  return found;
}

const rows = async (): Promise<readonly (readonly string[])[]> =>
  (await store.preview(tableId, { limit: 9 }, waiting)).rows;

const changes: Readonly<Record<string, () => Promise<void>>> = {
  'a column goes': () => store.alterTable(tableId, dropA, waiting),
  'another column goes': () => store.alterTable(tableId, dropB, waiting),
  'a column is renamed': () => store.alterTable(tableId, renameA, waiting),
  'a column comes': () => store.alterTable(tableId, addC, waiting),
  'it is emptied': () => store.emptyTable(tableId, waiting),
  'it is renamed': () => store.renameTable(tableId, renamedTo, waiting),
  'it is deleted': () => store.dropTable(tableId, waiting),
};
const all = Object.keys(changes);

const made: readonly { readonly what: string; readonly sql: readonly string[]; readonly refused: readonly string[] }[] =
  [
    {
      what: 'a view of a column',
      sql: ['CREATE VIEW seen AS SELECT a FROM orders'],
      refused: ['a column goes', 'a column is renamed', 'it is renamed', 'it is deleted'],
    },
    {
      what: 'a view of all columns, in another schema',
      sql: ['CREATE SCHEMA store.mine', 'CREATE VIEW store.mine.seen AS FROM store."in.c-shop".orders'],
      refused: ['it is renamed', 'it is deleted'],
    },
    {
      what: 'a view that shows another one',
      sql: ['CREATE VIEW seen AS SELECT a FROM orders', 'CREATE VIEW counted AS SELECT count(a) FROM seen'],
      refused: ['a column goes', 'a column is renamed', 'it is renamed', 'it is deleted'],
    },
    {
      what: 'a view that was broken before',
      sql: ['CREATE TABLE gone (x VARCHAR)', 'CREATE VIEW seen AS SELECT a FROM orders, gone', 'DROP TABLE gone'],
      refused: [],
    },
    {
      what: 'an index',
      sql: ['CREATE INDEX ix ON orders (a)'],
      refused: all.filter((change) => change !== 'it is deleted'),
    },
    {
      what: 'an index of an expression',
      sql: ['CREATE INDEX ix ON orders ((a || b))'],
      refused: all.filter((change) => change !== 'it is deleted'),
    },
    {
      what: 'a unique key',
      sql: [
        'CREATE TABLE copied AS FROM orders',
        'DROP TABLE orders',
        'CREATE TABLE orders (a VARCHAR NOT NULL UNIQUE, b VARCHAR NOT NULL)',
        'INSERT INTO orders FROM copied',
        'DROP TABLE copied',
      ],
      refused: ['a column goes', 'it is emptied'],
    },
    {
      what: 'a check of two columns',
      sql: [
        'CREATE TABLE copied AS FROM orders',
        'DROP TABLE orders',
        'CREATE TABLE orders (a VARCHAR NOT NULL, b VARCHAR NOT NULL, CHECK (a <> b))',
        'INSERT INTO orders FROM copied',
        'DROP TABLE copied',
      ],
      refused: ['a column goes', 'another column goes', 'it is emptied'],
    },
    {
      what: 'a key that another table refers to',
      sql: [
        'CREATE TABLE copied AS FROM orders',
        'DROP TABLE orders',
        'CREATE TABLE orders (a VARCHAR NOT NULL PRIMARY KEY, b VARCHAR NOT NULL)',
        'INSERT INTO orders FROM copied',
        'DROP TABLE copied',
        'CREATE TABLE referring (x VARCHAR REFERENCES orders (a))',
      ],
      refused: all,
    },
  ];

describe.each(made)('A49: a table of DuckDB with $what that somebody made by hand', ({ sql, refused }) => {
  it.each(all)('%s, or it is said what depends on it and nothing is changed', async (change) => {
    await byHand(...sql);
    const changed = changes[change]?.().then(
      () => 'done',
      (thrown: unknown) => thrown,
    );
    const isRefused = refused.includes(change);
    const refusal = {
      code: 'table.inUse',
      message: expect.stringContaining('made by hand depends on the table "in.c-shop.orders"') as unknown,
    };
    expect({ end: await changed }).toMatchObject({ end: isRefused ? refusal : 'done' });
    const left = isRefused && [await rows(), (await store.describeTable(tableId, waiting))?.columns];
    expect(left).toEqual(isRefused && [[['1', '2']], ['a', 'b']]);
  });
});

describe('A49: what somebody made by hand in a bucket of DuckDB', () => {
  it('an index is there after what its table refused', async () => {
    await byHand('CREATE INDEX ix ON orders (a)');
    await expect(store.emptyTable(tableId, waiting)).rejects.toMatchObject({
      message: expect.stringContaining('index ix. Drop it first, and make it again afterwards') as unknown,
    });
    expect(await byHand("SELECT index_name FROM duckdb_indexes() WHERE table_name = 'orders'")).toEqual([['ix']]);
  });

  it('views are there after what their table refused, and are named', async () => {
    await byHand('CREATE VIEW seen AS SELECT a FROM orders', 'CREATE VIEW "b""c" AS SELECT b FROM orders');
    await expect(store.dropTable(tableId, waiting)).rejects.toMatchObject({
      message: expect.stringContaining(
        'the view in.c-shop.b"c, in.c-shop.seen. Drop it first, and make it again afterwards',
      ) as unknown,
    });
    expect(await byHand('SELECT * FROM seen')).toEqual([['1']]);
  });

  it('a sequence, a macro or a type keeps the bucket, and deletes nothing', async () => {
    for (const sql of [
      'CREATE SEQUENCE numbers',
      'CREATE MACRO twice(x) AS x || x',
      "CREATE TYPE mood AS ENUM ('ok')",
    ]) {
      await byHand(sql);
      await store.dropTable(tableId, waiting);
      await store.dropBucket(tableId, waiting);
      await store.createTable(tableId, ['a', 'b'], waiting);
    }
    expect(await byHand("SELECT nextval('numbers'), twice('a'), 'ok'::mood")).toEqual([[1n, 'aa', 'ok']]);
  });

  it.each(['index', 'depends-on'])('a table named %j in the way of a name is no dependency', async (name) => {
    await store.createTable(parseTableId(`in.c-shop.${name}`), ['a'], waiting);
    const other = parseTableId(`in.c-shop.${name.toUpperCase()}`);
    await expect(store.renameTable(tableId, other, waiting)).rejects.toMatchObject({ code: 'table.exists' });
    expect(await rows()).toEqual([['1', '2']]);
  });
});
