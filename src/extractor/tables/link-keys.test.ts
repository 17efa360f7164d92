import { describe, expect, it } from 'vitest';
import { csvCells } from '../../../test/support/csv-cells.ts';
import { MemorySpool } from '../../../test/support/memory-spool.ts';
import type { JsonValue } from '../values/json-value.ts';
import { ExtractedTables } from './extracted-tables.ts';

/** The rows of each table, as objects. */
async function rowsOf(items: readonly JsonValue[], user = 'me', mappings: JsonValue = null) {
  const spool = new MemorySpool();
  const tables = new ExtractedTables({ spool, warn: () => undefined, mappings });
  await tables.take({ dataType: 'users', items, added: [{ name: 'who', value: user }] }).write();
  const found: Record<string, Record<string, string | undefined>[]> = {};
  for await (const { name, columns, csv } of tables.tables()) {
    const rows = await csvCells(csv());
    found[name] = rows.map((row) => Object.fromEntries(columns.map((column, at) => [column, row[at]])));
  }
  return found;
}

/** What stands in that column of the first table. */
async function keysOf(items: readonly JsonValue[], column = 'm', user = 'me') {
  const { users = [] } = await rowsOf(items, user);
  return users.map((row) => row[column]);
}

describe('E3: link keys', () => {
  it('E3: equal rows have equal keys, in one run and in another one', async () => {
    const keys = await keysOf([{ m: [1] }, { m: [1] }, { m: [1], n: 2 }]);
    expect(keys[0]).toMatch(/^users_[0-9a-f]{32}$/);
    expect(keys[1]).toBe(keys[0]);
    expect(keys[2]).not.toBe(keys[0]);
    expect(await keysOf([{ m: [1] }])).toEqual([keys[0]]);
  });

  it('E3: the key of a row is a fixed one, so that a later release links to what an earlier one stored', async () => {
    expect(await keysOf([{ m: [1] }])).toEqual(['users_8350a63d0d622892f5842dbe99b93104']);
  });

  it('E3: rows that differ in an added column alone have different keys', async () => {
    expect(await keysOf([{ m: [1] }], 'm', 'you')).not.toEqual(await keysOf([{ m: [1] }]));
  });

  it('E3: the rows of a child table have the key of the cell that they belong to', async () => {
    const { users = [], users_m: children = [] } = await rowsOf([{ m: [1, 2] }, { m: [3] }]);
    const [first, second] = users.map((row) => row['m']);
    expect(children).toEqual([
      { data: '1', JSON_parentId: first },
      { data: '2', JSON_parentId: first },
      { data: '3', JSON_parentId: second },
    ]);
  });

  it('E3: arrays in equal objects of rows that differ have different keys, with the path of the object', async () => {
    const item = { a: { m: [1] }, b: { m: [1] } };
    const [key, other] = await keysOf([item, { ...item, n: 2 }], 'a_m');
    expect(key).toMatch(/^users\.a_[0-9a-f]{32}$/);
    expect(other).not.toBe(key);
    expect(await keysOf([item], 'b_m')).not.toEqual([key]);
  });

  it('E3: children of equal elements link to the rows of their own parents', async () => {
    const { users_m: middle = [] } = await rowsOf([{ m: [{ n: [1] }] }, { m: [{ n: [1] }], x: 1 }]);
    const [first, second] = middle.map((row) => row['n']);
    expect(first).toMatch(/^users\.m_/);
    expect(second).not.toBe(first);
  });

  it('1.12: without a primary key, a mapped row has a hash of itself and of what was added', async () => {
    const mappings = { users: { m: { type: 'table', destination: 'c', tableMapping: { '.': 'v' } } } };
    const { users = [], c = [] } = await rowsOf([{ m: [1] }, { m: [1] }, { m: [2] }], 'me', mappings);
    const [first, second, third] = users.map((row) => row['c']);
    expect(first).toMatch(/^[0-9a-f]{32}$/);
    expect(second).toBe(first);
    expect(third).not.toBe(first);
    expect(c.map((row) => row['users_pk'])).toEqual([first, first, third]);
    const { users: others = [] } = await rowsOf([{ m: [1] }], 'you', mappings);
    expect(others[0]?.['c']).not.toBe(first);
  });
});
