import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { inconsistencies } from '../../test/support/admin-state.ts';
import { importRequest } from '../../test/contract/import-request.ts';
import type { Incarnation } from '../core/ids.ts';
import type { TableId } from '../core/table-id.ts';

const options = { signal: new AbortController().signal };
const S = '/v1/branches/default/sources';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const table = (tableId: string, columns: readonly string[]): object => ({
  tableId,
  mapping: { columns: columns.map((name) => ({ type: 'uuid', name })) },
});

/** A source with sinks to one table, which has a row of the first. */
async function made(source: string, { sinks = ['k'], columns = ['a', 'b'] } = {}): Promise<TableId> {
  const tableId = `in.c-${source}.t` as TableId;
  await harness.api.task('POST', S, {
    type: 'http',
    name: source,
    sinks: sinks.map((name) => ({ name, table: table(tableId, columns) })),
  });
  const incarnation = (10_000 + Math.floor(Math.random() * 1e9)) as Incarnation;
  await harness.tableStore.createLedger(incarnation, options);
  await harness.tableStore.import(importRequest({ incarnation, tableId }, 1, [['1', '2']]), options);
  return tableId;
}

const at = (tableId: string): string => `/v2/storage/tables/${tableId}`;
const columnsOf = async (tableId: TableId) => (await harness.tableStore.describeTable(tableId, options))?.columns;
const rowsOf = async (tableId: TableId) => (await harness.tableStore.preview(tableId, { limit: 9 }, options)).rows;

async function alter(source: string, columns: readonly string[], renamed: Record<string, string> = {}): Promise<void> {
  const pairs = Object.entries(renamed).map(([from, to]) => ({ from, to }));
  const body = { table: { ...table(`in.c-${source}.t`, columns), alter: true, renamed: pairs } };
  await harness.api.task('PATCH', `${S}/${source}/sinks/k`, body);
}

describe('an update that changes the columns of the table', () => {
  test('adds, renames and drops columns; rows that are there keep their cells', async () => {
    const tableId = await made('columns');
    await alter('columns', ['id', 'c'], { a: 'id' });
    expect(await columnsOf(tableId)).toEqual(['id', 'c']);
    expect(await rowsOf(tableId)).toEqual([['1', '']]);
    expect(await harness.api.call('GET', `${S}/columns/sinks/k`)).toMatchObject({
      version: { number: 2 },
      table: { mapping: { columns: [{ name: 'id' }, { name: 'c' }] } },
    });
    // Asked again it is done already.
    await alter('columns', ['id', 'c'], { a: 'id' });
    expect(await harness.api.call('GET', `${S}/columns/sinks/k`)).toMatchObject({ version: { number: 2 } });
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('makes a table again that is gone', async () => {
    const tableId = await made('gone');
    expect((await harness.api.request('DELETE', `${at(tableId)}?force=true`)).status).toBe(204);
    expect(await columnsOf(tableId)).toBeUndefined();
    await harness.api.task('PATCH', `${S}/gone/sinks/k`, { table: { alter: true } });
    expect(await columnsOf(tableId)).toEqual(['a', 'b']);
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test.each([
    [['b', 'a'], {}, /Give them in this order: "a", "b"/],
    [['x'], {}, /no column would stay/],
    [['a', 'b', 'z'], { n: 'z' }, /no column "n"/],
  ])('D9: %j is refused with the reason, and nothing is changed', async (columns, renamed, reason) => {
    const source = `refused-${columns.length}`;
    const tableId = await made(source);
    await expect(alter(source, columns, renamed)).rejects.toThrow(reason);
    expect(await columnsOf(tableId)).toEqual(['a', 'b']);
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('is refused while another sink needs the columns, which is named', async () => {
    const tableId = await made('shared', { sinks: ['k', 'other'] });
    await expect(alter('shared', ['a', 'b', 'c'])).rejects.toThrow(/sink shared\/other fills it/);
    expect(await columnsOf(tableId)).toEqual(['a', 'b']);
    await harness.api.task('DELETE', `${S}/shared/sinks/other`);
    await alter('shared', ['a', 'b', 'c']);
    expect(await columnsOf(tableId)).toEqual(['a', 'b', 'c']);
  });

  test('needs to be asked for', async () => {
    await made('unasked');
    const body = { table: table('in.c-unasked.t', ['a', 'b', 'c']) };
    await expect(harness.api.task('PATCH', `${S}/unasked/sinks/k`, body)).rejects.toThrow(
      'do not match expected ["a", "b", "c"], found ["a", "b"]. "table.alter" (--alter-table) gives the table',
    );
    const renamed = { table: { renamed: [{ from: 'a', to: 'z' }] } };
    await expect(harness.api.task('PATCH', `${S}/unasked/sinks/k`, renamed)).rejects.toThrow(/needs "table.alter"/);
  });
});

describe('a table is deleted, emptied and renamed', () => {
  test('not while a sink fills it, unless it is told so; its dependents are named', async () => {
    const tableId = await made('used');
    const dependents = await harness.api.call('GET', `${at(tableId)}/dependents`);
    expect(dependents).toMatchObject({
      sinks: [{ sourceId: 'used', sinkId: 'k', state: 'active', columns: ['a', 'b'] }],
      waiting: [],
      tokens: [{ description: '[_internal] Stream Sink used/k' }],
    });
    const refused = { status: 409, body: { code: 'storage.tables.inUse' } };
    expect(await harness.api.request('DELETE', at(tableId))).toMatchObject(refused);
    expect(await harness.api.request('DELETE', `${at(tableId)}/rows`)).toMatchObject(refused);
    const rename = await harness.api.request('POST', `${at(tableId)}/rename`, { name: 'other' });
    expect(rename).toMatchObject(refused);
    expect(rename.text).toContain('sink used/k fills it');
    expect(await rowsOf(tableId)).toHaveLength(1);
    expect((await harness.api.request('DELETE', `${at(tableId)}/rows?force=true`)).status).toBe(204);
    expect(await rowsOf(tableId)).toEqual([]);
    expect((await harness.api.request('DELETE', `${at(tableId)}?force=true`)).status).toBe(204);
    expect((await harness.api.request('DELETE', at(tableId))).status).toBe(404);
  });

  test('when nothing depends on it, and the trail says who did it', async () => {
    const tableId = await made('free');
    await harness.api.task('DELETE', `${S}/free/sinks/k`);
    const renamed = await harness.api.call('POST', `${at(tableId)}/rename`, { name: 'orders' });
    expect(renamed).toMatchObject({ id: 'in.c-free.orders', columns: ['a', 'b'], rowsCount: 1 });
    expect((await harness.api.request('DELETE', `${at('in.c-free.orders')}/rows`)).status).toBe(204);
    expect((await harness.api.request('DELETE', at('in.c-free.orders'))).status).toBe(204);
    expect((await harness.api.request('GET', at('in.c-free.orders'))).status).toBe(404);
    const { entries } = await harness.api.call<{ entries: readonly { operation: string }[] }>(
      'GET',
      '/v1/branches/default/audit?limit=3',
    );
    const object = { kind: 'table', tableId: 'in.c-free.orders' };
    expect(entries).toMatchObject([
      { operation: 'deleteTable', object, before: { columns: ['a', 'b'], rows: 0 } },
      { operation: 'deleteTableRows', object, before: { rows: 1 }, after: { rows: 0 } },
      { operation: 'renameTable', object },
    ]);
  });

  test('A49: who deletes a sink is told by the task which table stays', async () => {
    await made('told');
    expect(await harness.api.task('DELETE', `${S}/told/sinks/k`)).toMatchObject({
      result: expect.stringMatching(
        /^Sink has been deleted successfully\. The table in\.c-told\.t stays(, and so do dead letters)?\.$/,
      ) as unknown,
    });
  });

  test('a name that is taken, or that no table can have, is refused', async () => {
    const tableId = await made('taken');
    await harness.api.task('DELETE', `${S}/taken/sinks/k`);
    await harness.tableStore.createTable('in.c-taken.there' as TableId, ['a'], options);
    expect((await harness.api.request('POST', `${at(tableId)}/rename`, { name: 'there' })).status).toBe(409);
    expect((await harness.api.request('POST', `${at(tableId)}/rename`, { name: 'a.b' })).status).toBe(400);
    expect(await rowsOf(tableId)).toHaveLength(1);
  });

  test('the table of dead letters keeps its name, and its rows unless it is told otherwise', async () => {
    const letters = 'sys.c-millrace.dead_letters' as TableId;
    await harness.tableStore.createTable(letters, ['a'], options);
    expect((await harness.api.request('POST', `${at(letters)}/rename`, { name: 'x' })).status).toBe(400);
    expect(await harness.api.request('DELETE', `${at(letters)}/rows`)).toMatchObject({ status: 409 });
    expect((await harness.api.request('DELETE', `${at(letters)}?force=true`)).status).toBe(204);
  });
});
