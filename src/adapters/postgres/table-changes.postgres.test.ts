import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { DuckDBInstance } from '@duckdb/node-api';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { awkwardCells } from '../../../test/contract/awkward-cells.ts';
import { contentOf, csvOf } from '../../../test/contract/staged-csv.ts';
import { eventually } from '../../../test/support/eventually.ts';
import {
  execute,
  isPostgresMissing,
  openPostgresForTests,
  type PostgresForTests,
} from '../../../test/support/postgres.ts';
import { openTableHarness, streamed, type TableHarness } from '../../../test/support/table-harness.ts';
import type { Secret } from '../../config/secrets.ts';
import { parseTableId } from '../../core/table-id.ts';

const waiting = { signal: new AbortController().signal };

describe.skipIf(await isPostgresMissing())('tables on a PostgreSQL that others use, too', () => {
  let server: PostgresForTests;
  let url: Secret;
  let harness: TableHarness;

  beforeAll(async () => {
    server = await openPostgresForTests();
  });
  afterAll(() => server[Symbol.asyncDispose]());
  beforeEach(async () => {
    url = await server.createDatabase();
    harness = await openTableHarness(url);
    await harness.make();
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  const table = '"in.c-shop"."orders"';
  const load = (number: number, rows: readonly (readonly string[])[]): Promise<string> =>
    harness.store.import(harness.request(number, rows), waiting);

  it.each([
    { what: 'a column more', change: 'ADD COLUMN c text', found: '"a", "b", "c" (may be NULL)', heal: 'DROP COLUMN c' },
    { what: 'a column less', change: 'DROP COLUMN b', found: '"a"', heal: 'ADD COLUMN b text NOT NULL' },
    { what: 'another name', change: 'RENAME b TO "B"', found: '"a", "B"', heal: 'RENAME "B" TO b' },
    {
      what: 'another type',
      change: 'ALTER b TYPE int USING 1',
      found: '"a", "b" (integer)',
      heal: 'ALTER b TYPE text',
    },
    { what: 'NULL', change: 'ALTER b DROP NOT NULL', found: '"a", "b" (may be NULL)', heal: 'ALTER b SET NOT NULL' },
  ])('D6: $what by hand is table.schemaMismatch, and heals', async ({ change, found, heal }) => {
    await execute(url, `ALTER TABLE ${table} ${change}`);
    await expect(load(1, [['1', 'x']])).rejects.toMatchObject({
      code: 'table.schemaMismatch',
      message: `columns of the table "in.c-shop.orders" do not match expected ["a", "b"], found [${found}]`,
    });
    await execute(url, `ALTER TABLE ${table} ${heal}`);
    expect(await load(1, [['1', 'x']])).toBe('loaded');
    expect(await harness.rows()).toEqual([['1', 'x']]);
  });

  it('D6: without the column that numbers the rows it is table.schemaMismatch; what is there can be read', async () => {
    await load(1, [['1', 'x']]);
    await execute(url, `ALTER TABLE ${table} DROP COLUMN "millrace.order"`);
    await expect(load(2, [['2', 'y']])).rejects.toMatchObject({
      code: 'table.schemaMismatch',
      message: expect.stringContaining('without the column "millrace.order"') as unknown,
    });
    expect(await harness.rows()).toEqual([['1', 'x']]);
  });

  it('D6: a table that was dropped by hand is table.notFound, and one made again begins empty', async () => {
    await load(1, [['1', 'x']]);
    await execute(url, `DROP TABLE ${table}`);
    await expect(load(2, [['2', 'y']])).rejects.toMatchObject({ code: 'table.notFound' });
    expect(await harness.store.listTables(waiting)).toEqual([]);
    await harness.make();
    expect(await harness.store.describeTable(harness.tableId, waiting)).toMatchObject({ rows: 0 });
    expect(await load(2, [['2', 'y']])).toBe('loaded');
  });

  it('D9: a table of somebody else is never taken over', async () => {
    await execute(url, 'CREATE TABLE "in.c-shop".theirs (a text NOT NULL)');
    const theirs = parseTableId('in.c-shop.theirs');
    expect(await harness.store.describeTable(theirs, waiting)).toBeUndefined();
    await harness.store.dropTable(theirs, waiting);
    await expect(harness.store.createTable(theirs, ['a'], waiting)).rejects.toMatchObject({
      code: 'table.exists',
      message: expect.stringContaining('was not made here') as unknown,
    });
    expect(await execute(url, 'SELECT * FROM "in.c-shop".theirs')).toEqual([]);
  });

  it('counts rows that somebody put into an empty table, so that it is not taken for one without rows', async () => {
    await execute(url, `INSERT INTO ${table} (a, b) VALUES ('by', 'hand')`);
    expect(await harness.store.describeTable(harness.tableId, waiting)).toMatchObject({ rows: 1 });
  });

  it('a change of the table waits until an import has ended', async () => {
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const { promise: standing, resolve: stands } = Promise.withResolvers<void>();
    const rows = [
      streamed(async function* () {
        stands();
        await goOn;
        yield csvOf([['1', 'x']]);
      }),
    ];
    const loading = harness.store.import(harness.request(1, [], { rows, expected: { rows: 1, dead: 0 } }), waiting);
    await standing;
    await expect(
      execute(url, `SET lock_timeout = '100ms'; ALTER TABLE ${table} ADD COLUMN c text`),
    ).rejects.toMatchObject({ code: '55P03' });
    resolve();
    expect(await loading).toBe('loaded');
  });

  it('ids and columns of any length have tables of their own', async () => {
    const long = (end: string): string => `in.c-${'ü'.repeat(90)}.${'日'.repeat(95)}${end}`;
    const columns = [`${'é'.repeat(63)}1`, `${'é'.repeat(63)}2`, 'ctid', 'xmin', 'millrace.order', 'a', 'A'];
    const rows = [columns.map((_, at) => `cell ${at}`)];
    for (const [at, end] of ['a', 'b'].entries()) {
      const tableId = parseTableId(long(end));
      await harness.store.createTable(tableId, columns, waiting);
      const change = { tableId, columns };
      await harness.store.import(harness.request(at + 1, rows, change), waiting);
      expect(await harness.store.preview(tableId, { limit: 10 }, waiting)).toEqual({ columns, rows });
      expect(JSON.parse(await text(await harness.store.exportTable(tableId, 'ndjson', waiting)))).toEqual(
        Object.fromEntries(columns.map((column, index) => [column, `cell ${index}`])),
      );
    }
    expect((await harness.store.listTables(waiting)).map(({ tableId }) => tableId)).toEqual(
      [long('a'), long('b'), harness.tableId].toSorted(),
    );
  });

  it('D9: more columns than PostgreSQL takes are refused before anything is made; as many as it takes are made', async () => {
    const wide = parseTableId('in.c-wide.orders');
    const columns = Array.from({ length: 1600 }, (_, at) => `c${at}`);
    await expect(harness.store.createTable(wide, columns, waiting)).rejects.toMatchObject({
      code: 'input.invalid',
      message: 'Invalid "columns" value: a table on PostgreSQL has at most 1599 columns, given 1600',
    });
    await harness.store.createTable(wide, columns.slice(1), waiting);
    expect((await harness.store.describeTable(wide, waiting))?.columns).toHaveLength(1599);
  });

  it('D9: a cell with the character U+0000 is table.invalidContent, says so, and loads nothing', async () => {
    await expect(load(1, [['1', 'secret\0']])).rejects.toMatchObject({
      code: 'table.invalidContent',
      message: '"content" cannot be loaded: it holds the character U+0000, which no text of PostgreSQL can hold',
    });
    expect(await harness.rows()).toEqual([]);
  });

  it.each([
    ['a cell without quotes', '1,"x"\n', 'line 1 of "streamed" is not as staged: a cell is not quoted'],
    ['text behind a quote', '"1","x"\n"1","x"y\n', 'line 2 of "streamed" is not as staged: there is text after'],
    ['an empty line', '"1","x"\n\n', 'line 2 of "streamed" is not as staged: a cell is not quoted'],
    ['no last line end', '"1","x"', 'line 1 of "streamed" is not as staged: the last line has no end'],
    ['an end of data', '\\.\n', 'line 1 of "streamed" is not as staged: a cell is not quoted'],
  ])('D9: %s is table.invalidContent and names the line', async (_, csv, message) => {
    const rows = [contentOf(csv, 'streamed'), contentOf(csvOf([['2', 'y']]))];
    const request = harness.request(1, [], { rows, expected: { rows: 2, dead: 0 } });
    await expect(harness.store.import(request, waiting)).rejects.toMatchObject({
      code: 'table.invalidContent',
      message: expect.stringContaining(message) as unknown,
    });
    expect(await load(1, [['1', 'x']])).toBe('loaded');
  });

  it('cells that hold what ends a COPY come back', async () => {
    const cells = ['\\.', 'a\n\\.\nb', '\n\\.\n', '\\.\r\n', '\\.\n"\\.\n"'];
    await load(
      1,
      cells.map((cell, at) => [`${at}`, cell]),
    );
    expect((await harness.rows()).map(([, cell]) => cell)).toEqual(cells);
  });

  it('shows the order of loading when freed space is used again, and past what the index holds', async () => {
    const part = (from: number, count: number): string[][] =>
      Array.from({ length: count }, (_, at) => [`${from + at}`, '']);
    await load(1, part(0, 3000));
    const bad = harness.request(2, part(90_000, 120_000), { expected: { rows: 1, dead: 0 } });
    await expect(harness.store.import(bad, waiting)).rejects.toMatchObject({ code: 'table.invalidContent' });
    await execute(url, `VACUUM ${table}`);
    await load(2, part(3000, 3000));
    const rows = await harness.store.preview(harness.tableId, { columns: ['a'], limit: 5000 }, waiting);
    expect(rows.rows.map(([cell]) => Number(cell))).toEqual(Array.from({ length: 5000 }, (_, at) => at));
    expect((await harness.rows()).map(([cell]) => Number(cell))).toEqual(Array.from({ length: 6000 }, (_, at) => at));
  });

  it('a Parquet file is read back with the same rows, and no temporary file stays', async () => {
    const rows = awkwardCells.map((cell, at) => [`${at}`, cell]);
    await load(1, rows);
    const path = join(harness.tempDir, 'orders.parquet');
    await writeFile(path, await buffer(await harness.store.exportTable(harness.tableId, 'parquet', waiting)));
    expect(await readdir(join(harness.tempDir, 'tables'))).toEqual([]);
    const instance = await DuckDBInstance.create(':memory:');
    const connection = await instance.connect();
    const found = await connection.runAndReadAll(`SELECT a, hex(b) FROM read_parquet('${path}')`);
    connection.closeSync();
    instance.closeSync();
    expect(found.getRows()).toEqual(rows.map(([a, b = '']) => [a, Buffer.from(b).toString('hex').toUpperCase()]));
  });

  it('D9: columns that differ in letter case only can be loaded and read, but are no Parquet file', async () => {
    const tableId = parseTableId('in.c-shop.letters');
    await harness.store.createTable(tableId, ['a', 'A'], waiting);
    await harness.store.import(harness.request(1, [['1', '2']], { tableId, columns: ['a', 'A'] }), waiting);
    expect(await text(await harness.store.exportTable(tableId, 'ndjson', waiting))).toBe('{"a":"1","A":"2"}\n');
    await expect(harness.store.exportTable(tableId, 'parquet', waiting)).rejects.toMatchObject({
      code: 'input.invalid',
      message: expect.stringContaining('columns "a" and "A" differ in letter case only') as unknown,
    });
  });

  it('an export shows one moment, whatever is loaded while it is read', async () => {
    const rows = Array.from({ length: 30_000 }, (_, at) => [`${at}`, 'x'.repeat(100)]);
    await load(1, rows);
    const lines = await harness.store.exportTable(harness.tableId, 'csv', waiting);
    await load(2, [['late', '']]);
    expect((await text(lines)).split('\n')).toHaveLength(rows.length + 2);
  });

  it('D8: an export that nobody reads is given up, and its stream fails', async () => {
    const rows = Array.from({ length: 60_000 }, (_, at) => [`${at}`, 'x'.repeat(100)]);
    await load(1, rows);
    const store = await harness.open({ exportPauseMs: 100 });
    const lines = await store.exportTable(harness.tableId, 'csv', waiting);
    await new Promise((resolve) => lines.once('close', resolve));
    expect(lines.errored).toMatchObject({ code: 'table.unavailable' });
  });

  it('D8: one export more than run at once is refused, and goes when one has ended', async () => {
    await load(
      1,
      Array.from({ length: 30_000 }, (_, at) => [`${at}`, 'x'.repeat(100)]),
    );
    const start = (): Promise<Readable> => harness.store.exportTable(harness.tableId, 'csv', waiting);
    const running = await Promise.all([start(), start(), start(), start()]);
    await expect(start()).rejects.toMatchObject({ code: 'table.unavailable' });
    for (const each of running) each.destroy();
    expect((await text(await eventually(start))).split('\n')).toHaveLength(30_002);
  });

  it('D10: closing ends an export that is being read with table.unavailable', async () => {
    await load(
      1,
      Array.from({ length: 30_000 }, (_, at) => [`${at}`, 'x'.repeat(100)]),
    );
    const store = await harness.open();
    const lines = await store.exportTable(harness.tableId, 'csv', waiting);
    await store[Symbol.asyncDispose]();
    await expect(text(lines)).rejects.toMatchObject({ code: 'table.unavailable' });
    await expect(store.exportTable(harness.tableId, 'csv', waiting)).rejects.toMatchObject({
      code: 'table.unavailable',
    });
  });

  it('D9: tables of a newer format are left alone', async () => {
    await execute(url, 'UPDATE millrace_tables.format SET version = 2');
    await expect(harness.open()).rejects.toMatchObject({
      code: 'data.newerFormat',
      message: 'the tables of this database have the format 2, this version knows 1',
    });
  });

  it('D4: a ledger of an earlier version opens, and begins to count with what the document has counted', async () => {
    await execute(
      url,
      `ALTER TABLE millrace_tables.ledger DROP COLUMN rows, DROP COLUMN dead, DROP COLUMN counted;
        UPDATE millrace_tables.ledger SET number = 3, id = 'three'`,
    );
    const store = await harness.open();
    const read = () => store.readLedger(harness.incarnation, waiting);
    expect(await read()).toEqual({ number: 3, id: 'three', verdict: 'loaded' });
    const rows = [['1', 'x']];
    await store.import(harness.request(4, rows, { before: { rows: 40, dead: 2 } }), waiting);
    expect((await read())?.loaded).toEqual({ rows: 41, dead: 2 });
    await execute(url, `UPDATE millrace_tables.ledger SET number = 5, id = 'five'`);
    expect(await read()).toEqual({ number: 5, id: 'five', verdict: 'loaded' });
    await store.abandon(harness.incarnation, { number: 6, id: 'six' }, waiting);
    expect((await read())?.loaded).toBeUndefined();
    await store.import(harness.request(7, rows, { before: { rows: 9, dead: 1 } }), waiting);
    expect((await read())?.loaded).toEqual({ rows: 10, dead: 1 });
  });

  it('a second process opens the same tables at the same time', async () => {
    const fresh = await server.createDatabase();
    const harnesses = await Promise.all([1, 2, 3].map(() => openTableHarness(fresh)));
    await harnesses[0]?.make();
    expect(await harnesses[1]?.store.describeTable(harness.tableId, waiting)).toMatchObject({ columns: ['a', 'b'] });
    for (const each of harnesses) await each[Symbol.asyncDispose]();
  });
});
