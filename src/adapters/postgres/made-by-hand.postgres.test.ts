import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  execute,
  isPostgresMissing,
  openPostgresForTests,
  type PostgresForTests,
} from '../../../test/support/postgres.ts';
import { openTableHarness, type TableHarness } from '../../../test/support/table-harness.ts';
import type { Secret } from '../../config/secrets.ts';
import type { ColumnChange } from '../../core/column-change.ts';
import { parseTableId } from '../../core/table-id.ts';

const waiting = { signal: new AbortController().signal };
const renamedTo = parseTableId('in.c-shop.bought');
const none: ColumnChange = { before: ['a', 'b'], dropped: [], renamed: [], added: [] };

describe.skipIf(await isPostgresMissing())('tables of PostgreSQL with what somebody made by hand', () => {
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
    await harness.store.import(harness.request(1, [['1', '2']]), waiting);
  });
  afterEach(() => harness[Symbol.asyncDispose]());

  const table = '"in.c-shop"."orders"';
  const alter = (change: Partial<ColumnChange>): Promise<void> =>
    harness.store.alterTable(harness.tableId, { ...none, ...change }, waiting);
  const changes: Readonly<Record<string, () => Promise<void>>> = {
    'a column goes': () => alter({ dropped: ['a'] }),
    'another column goes': () => alter({ dropped: ['b'] }),
    'a column is renamed': () => alter({ renamed: [{ from: 'a', to: 'z' }] }),
    'a column comes': () => alter({ added: ['c'] }),
    'it is emptied': () => harness.store.emptyTable(harness.tableId, waiting),
    'it is renamed': () => harness.store.renameTable(harness.tableId, renamedTo, waiting),
    'it is deleted': () => harness.store.dropTable(harness.tableId, waiting),
  };
  const all = Object.keys(changes);

  const made = [
    {
      what: 'a view',
      sql: [`CREATE VIEW "in.c-shop".seen AS SELECT a FROM ${table}`],
      refused: ['a column goes', 'it is deleted'],
    },
    { what: 'an index', sql: [`CREATE INDEX ix ON ${table} (a)`], refused: [] },
    {
      what: 'a key that another table refers to',
      sql: [
        `ALTER TABLE ${table} ADD PRIMARY KEY (a)`,
        `CREATE TABLE "in.c-shop".referring (x text REFERENCES ${table} (a))`,
      ],
      refused: ['a column goes', 'it is emptied', 'it is deleted'],
    },
  ];

  describe.each(made)('A49: with $what', ({ sql, refused }) => {
    it.each(all)('%s, or it is said what depends on it and nothing is changed', async (change) => {
      for (const statement of sql) await execute(url, statement);
      const changed = changes[change]?.().then(
        () => 'done',
        (thrown: unknown) => thrown,
      );
      const isRefused = refused.includes(change);
      const refusal = {
        code: 'table.inUse',
        message: expect.stringContaining('PostgreSQL does not change the table "in.c-shop.orders"') as unknown,
      };
      expect({ end: await changed }).toMatchObject({ end: isRefused ? refusal : 'done' });
      const left = isRefused && [
        await harness.rows(),
        (await harness.store.describeTable(harness.tableId, waiting))?.columns,
      ];
      expect(left).toEqual(isRefused && [[['1', '2']], ['a', 'b']]);
    });
  });

  it('A49: a view follows a renamed column and a renamed table', async () => {
    await execute(url, `CREATE VIEW "in.c-shop".seen AS SELECT a FROM ${table}`);
    await alter({ renamed: [{ from: 'a', to: 'z' }] });
    await harness.store.renameTable(harness.tableId, renamedTo, waiting);
    expect(await execute(url, 'SELECT a FROM "in.c-shop".seen')).toEqual([{ a: '1' }]);
  });

  it('A49: the name of a view or an index is taken', async () => {
    await execute(url, `CREATE VIEW "in.c-shop".bought AS SELECT a FROM ${table}`);
    await expect(harness.store.renameTable(harness.tableId, renamedTo, waiting)).rejects.toMatchObject({
      code: 'table.exists',
    });
    await execute(url, 'DROP VIEW "in.c-shop".bought');
    await execute(url, `CREATE INDEX bought ON ${table} (a)`);
    await expect(harness.store.renameTable(harness.tableId, renamedTo, waiting)).rejects.toMatchObject({
      code: 'table.exists',
    });
    expect(await harness.rows()).toEqual([['1', '2']]);
  });
});
