import { DuckDBInstance, type DuckDBConnection } from '@duckdb/node-api';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { parseTableId } from '../../core/table-id.ts';
import { hasTable } from './has-table.ts';
import { columnsOf, makeTable } from './table-catalog.ts';
import { tableOf } from './table-sql.ts';
import { transaction } from './transaction.ts';

const [orders, letters] = [parseTableId('in.c-shop.orders'), parseTableId('sys.c-dead.letters')];

let instance: DuckDBInstance;
let connection: DuckDBConnection;
let statements: string[];

beforeEach(async () => {
  instance = await DuckDBInstance.create(':memory:');
  statements = [];
  connection = recorded(await instance.connect(), statements);
  await connection.run(`ATTACH ':memory:' AS store`);
});

afterEach(() => instance.closeSync());

/** The same connection, whose statements are kept. */
function recorded(of: DuckDBConnection, kept: string[]): DuckDBConnection {
  return new Proxy(of, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...given: readonly unknown[]): unknown => {
        kept.push(String(given[0]));
        return Reflect.apply(member, target, given);
      };
    },
  });
}

it('D8: a table is made, found, found missing and compared without a look through all tables', async () => {
  await makeTable(connection, orders, { columns: ['a', 'b'] });
  await makeTable(connection, letters, { columns: ['a'] });
  expect(await hasTable(connection, orders)).toBe(true);
  expect(await hasTable(connection, parseTableId('in.c-shop.others'))).toBe(false);
  expect(await hasTable(connection, parseTableId('in.c-else.orders'))).toBe(false);
  expect((await columnsOf(connection, orders)).map(({ name }) => name)).toEqual(['a', 'b']);
  expect(statements.filter((statement) => /duckdb_\w+\(/.test(statement))).toEqual([]);
});

it('D9: a table of another name, in whatever letter case, is another one, and so is what is no table', async () => {
  await makeTable(connection, orders, { columns: ['a'] });
  for (const id of ['in.c-shop.Orders', 'in.c-Shop.orders', 'in.C-SHOP.ORDERS'])
    expect([id, await hasTable(connection, parseTableId(id))]).toEqual([id, false]);
  const view = parseTableId('in.c-shop.view');
  await connection.run(`CREATE VIEW ${tableOf(view)} AS FROM ${tableOf(orders)}`);
  expect(await hasTable(connection, view)).toBe(false);
  const broken = parseTableId('in.c-shop.broken');
  await connection.run(`CREATE VIEW ${tableOf(broken)} AS SELECT a, 1 AS b FROM ${tableOf(orders)}`);
  await connection.run(`ALTER TABLE ${tableOf(orders)} RENAME a TO z`);
  expect(await hasTable(connection, broken)).toBe(false);
});

it('D9: no table is made in a bucket of other letter case', async () => {
  await makeTable(connection, orders, { columns: ['a'] });
  const made = transaction(connection, () => makeTable(connection, parseTableId('in.c-Shop.more'), { columns: ['a'] }));
  await expect(made).rejects.toThrow('bucket of table "in.c-Shop.more" exists already in other letter case');
  expect(await hasTable(connection, parseTableId('in.c-shop.more'))).toBe(false);
});

it('a name that DuckDB writes with quotes is found', async () => {
  for (const id of ['in.c-shop.select', 'out.c-a-b.T-1', 'in.c-1.0'].map(parseTableId)) {
    await makeTable(connection, id, { columns: ['a'] });
    expect([id, await hasTable(connection, id)]).toEqual([id, true]);
  }
  expect(statements.filter((statement) => /duckdb_\w+\(/.test(statement))).toEqual([]);
});
