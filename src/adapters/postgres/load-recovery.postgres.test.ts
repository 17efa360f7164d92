import { Client } from 'pg';
import { beforeEach, describe, expect, it } from 'vitest';
import { contentOf, csvOf, type Rows } from '../../../test/contract/staged-csv.ts';
import { FailingPostgres, outcomeOf } from '../../../test/support/failing-postgres.ts';
import { openPostgresProxy } from '../../../test/support/postgres-proxy.ts';
import { isPostgresMissing } from '../../../test/support/postgres.ts';
import { streamed, throughPort } from '../../../test/support/table-harness.ts';
import { parseTableId } from '../../core/table-id.ts';
import type { LoadRequest, LoadRow, TableLoad } from '../../ports/table-loads.ts';

const waiting = { signal: new AbortController().signal };
const id = 'job/1';
const other = parseTableId('in.c-other.totals');

/** Settles as the verdict on a load, or the code of an error. */
const outcome = (work: Promise<LoadRow>): Promise<unknown> => outcomeOf(work.then(({ verdict }) => verdict));

describe.skipIf(await isPostgresMissing())('loads on a PostgreSQL that fails', () => {
  const postgres = new FailingPostgres();

  beforeEach(async () => {
    await postgres.harness.store.import(postgres.harness.request(1, [['0', 'w']]), waiting);
    await postgres.harness.store.openLoad(id, waiting);
  });

  const table = (rows: Rows, change: Partial<TableLoad> = {}): TableLoad => ({
    tableId: postgres.harness.tableId,
    columns: ['a', 'b'],
    primaryKey: ['a'],
    isIncremental: false,
    rows: [contentOf(csvOf(rows))],
    expectedRows: rows.length,
    ...change,
  });
  /** Into a table that is there, whose rows go, and one that is not. */
  const load = (rows: Rows = [['1', 'x']], change: Partial<TableLoad> = {}): LoadRequest => ({
    tables: [table([['1', 'x']], { tableId: other }), table(rows, change)],
    note: 'noted',
  });
  const state = async () => ({
    row: await postgres.harness.store.readLoad(id, waiting),
    rows: await postgres.harness.rows(),
    other: (await postgres.harness.store.describeTable(other, waiting))?.rows,
  });
  const before = { row: { verdict: 'open', note: '' }, rows: [['0', 'w']], other: undefined };
  const after = { row: { verdict: 'loaded', note: 'noted' }, rows: [['1', 'x']], other: 1 };

  it.each([
    ['lose the answer', 'loaded'],
    ['lose the answer and the way', 'table.unavailable'],
    ['lose the request', 'table.unavailable'],
  ] as const)('D2, D3: when the commit of a load does "%s", it is %s, and a repeat makes it one', async (what, end) => {
    await using proxy = await openPostgresProxy(postgres.server.port);
    const store = await postgres.harness.open({ url: throughPort(postgres.url, proxy.port) });
    // A table that is missing would be made first, by a commit of its own.
    await store.createTable(other, ['a', 'b'], waiting);
    proxy.onCommit(what);
    expect(await outcome(store.load(id, load(), waiting))).toBe(end);
    expect(await outcome(postgres.harness.store.load(id, load(), waiting))).toBe('loaded');
    expect(await state()).toEqual(after);
  });

  it('D2, D3: kill -9 of the server in the middle of a load leaves nothing that is shown, and a repeat makes it one', async () => {
    const rows = [
      streamed(async function* () {
        yield csvOf([['1', 'x']]);
        await postgres.server.kill();
        yield csvOf([['2', 'y']]);
      }),
    ];
    expect(await outcome(postgres.harness.store.load(id, load([], { rows, expectedRows: 2 }), waiting))).toBe(
      'table.unavailable',
    );
    await postgres.server.start();
    expect(await state()).toEqual(before);
    expect((await postgres.harness.store.listTables(waiting)).map(({ tableId }) => tableId)).toEqual([
      postgres.harness.tableId,
    ]);
    // The table that it was to make is in nobody's way.
    await postgres.harness.store.createTable(other, ['later'], waiting);
    await postgres.harness.store.dropTable(other, waiting);
    expect(await outcome(postgres.harness.store.load(id, load(), waiting))).toBe('loaded');
    expect(await state()).toEqual(after);
  });

  it('D3, D6: a load that has stopped holds up neither its giving up, nor who reads, nor who makes other tables', async () => {
    const { promise: goOn, resolve: letGo } = Promise.withResolvers<void>();
    const { promise: standing, resolve: stands } = Promise.withResolvers<void>();
    const rows = [
      streamed(async function* () {
        yield csvOf([['1', 'x']]);
        stands();
        await goOn;
      }),
    ];
    await postgres.harness.store.emptyTable(postgres.harness.tableId, waiting);
    const keyed = table([['0', 'w']]);
    await postgres.harness.store.openLoad('job/0', waiting);
    await postgres.harness.store.load('job/0', { tables: [keyed], note: '' }, waiting);
    const zombie = outcome(postgres.harness.store.load(id, load([], { rows, expectedRows: 1 }), waiting));
    await standing;
    expect(await postgres.harness.rows()).toEqual([['0', 'w']]);
    await postgres.harness.store.createTable(parseTableId('in.c-third.x'), ['a'], waiting);
    expect(await postgres.harness.store.abandonLoad(id, waiting)).toEqual({ verdict: 'abandoned', note: '' });
    letGo();
    expect(await zombie).toBe('abandoned');
    expect(await state()).toEqual({ ...before, row: { verdict: 'abandoned', note: '' } });
  });

  it('D3: imports go on beside a load that replaces rows by their key', async () => {
    const keyed = table([['0', 'w']]);
    await postgres.harness.store.openLoad('job/0', waiting);
    await postgres.harness.store.load('job/0', { tables: [keyed], note: '' }, waiting);
    const rows = [
      streamed(async function* () {
        yield csvOf([['0', 'load']]);
        await postgres.harness.store.import(postgres.harness.request(2, [['1', 'sink']]), waiting);
        yield csvOf([['2', 'load']]);
      }),
    ];
    const merged = table([], { rows, expectedRows: 2, isIncremental: true });
    expect(await outcome(postgres.harness.store.load(id, { tables: [merged], note: '' }, waiting))).toBe('loaded');
    expect((await postgres.harness.rows()).toSorted(([one = ''], [other = '']) => Number(one) - Number(other))).toEqual(
      [
        ['0', 'load'],
        ['1', 'sink'],
        ['2', 'load'],
      ],
    );
    expect((await postgres.harness.store.describeTable(postgres.harness.tableId, waiting))?.rows).toBe(3);
  });

  it('D9: rows that a table made by hand refers to are not replaced; it is table.inUse, without the row in its text', async () => {
    await run(
      'ALTER TABLE "in.c-shop".orders ADD PRIMARY KEY (a)',
      'CREATE TABLE "in.c-shop".referring (x text REFERENCES "in.c-shop".orders (a))',
      `INSERT INTO "in.c-shop".referring VALUES ('0')`,
    );
    const refused = postgres.harness.store.load(id, load(), waiting);
    await expect(refused).rejects.toMatchObject({
      code: 'table.inUse',
      message: expect.not.stringContaining('(0)') as unknown,
    });
    expect(await state()).toEqual(before);
  });

  it('D7: a database of an earlier version gets keys and the ledger of loads, and its tables stay', async () => {
    await run('DROP TABLE millrace_tables.loads', 'ALTER TABLE millrace_tables.tables DROP COLUMN primary_key');
    const store = await postgres.harness.open();
    await postgres.harness.open();
    expect(await store.describeTable(postgres.harness.tableId, waiting)).toMatchObject({ primaryKey: [], rows: 1 });
    await store.openLoad(id, waiting);
    expect(await outcome(store.load(id, load(), waiting))).toBe('loaded');
    expect(await state()).toEqual(after);
  });

  async function run(...statements: readonly string[]): Promise<void> {
    const client = new Client({ connectionString: postgres.url.reveal() });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
    } finally {
      await client.end();
    }
  }
});
