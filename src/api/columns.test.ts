import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { matching } from '../../test/support/matching.ts';
import { importRequest } from '../../test/contract/import-request.ts';
import type { Incarnation } from '../core/ids.ts';
import type { TableId } from '../core/table-id.ts';

const { signal } = new AbortController();
const S = '/v1/branches/default/sources';
let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

/** A table "a", "b" with a row, the key "a", and its path. */
async function made(bucket: string): Promise<{ readonly tableId: TableId; readonly path: string }> {
  const tableId = `in.c-${bucket}.t` as TableId;
  await harness.tableStore.createTable(tableId, ['a', 'b'], { signal, primaryKey: ['a'] });
  const incarnation = (10_000 + Math.floor(Math.random() * 1e9)) as Incarnation;
  await harness.tableStore.createLedger(incarnation, { signal });
  await harness.tableStore.import(importRequest({ incarnation, tableId }, 1, [['1', '2']]), { signal });
  return { tableId, path: `/v2/storage/tables/${tableId}/columns` };
}

const add = (path: string, body: unknown) => harness.api.request('POST', path, body);
const drop = (path: string, name: string) => harness.api.request('DELETE', `${path}/${encodeURIComponent(name)}`);
const rowsOf = async (tableId: TableId) => (await harness.tableStore.preview(tableId, { limit: 9 }, { signal })).rows;

async function sink(name: string, tableId: TableId, columns: readonly string[]): Promise<void> {
  const mapping = { columns: columns.map((column) => ({ type: 'uuid', name: column })) };
  await harness.api.task('POST', S, { type: 'http', name, sinks: [{ name: 'k', table: { tableId, mapping } }] });
}

test('B3: a column is added at the end, empty in the rows that are there, and dropped with its cells', async () => {
  const { tableId, path } = await made('change');
  const wanted = { name: 'Größe "x"', definition: { type: 'VARCHAR' } };
  expect(await add(path, wanted)).toMatchObject({ status: 201, body: { columns: ['a', 'b', 'Größe "x"'] } });
  expect(await rowsOf(tableId)).toEqual([['1', '2', '']]);
  expect(await drop(path, 'b')).toMatchObject({ status: 204 });
  expect(await rowsOf(tableId)).toEqual([['1', '']]);
  expect(await harness.api.call('GET', `/v2/storage/tables/${tableId}`)).toMatchObject({
    columns: ['a', 'Größe "x"'],
    primaryKey: ['a'],
  });
});

test.each([
  [{}, '"name" is missing from body', 'storage.tables.invalidColumnName'],
  [{ name: '' }, 'he name of a column must be 1 to 64 characters', 'storage.tables.invalidColumnName'],
  [{ name: 'x'.repeat(65) }, 'must be 1 to 64 characters', 'storage.tables.invalidColumnName'],
  [{ name: 'x'.repeat(100_000) }, 'must be 1 to 64 characters', 'storage.tables.invalidColumnName'],
  [{ name: 'a\u0000' }, 'none of them U+0000', 'storage.tables.invalidColumnName'],
  [{ name: 7 }, 'ody.name must be a text', 'storage.tables.invalidColumnName'],
  [{ name: 'B' }, 'has a column "b" already', 'storage.tables.columnAlreadyExists'],
  [{ name: 'c', basetype: 'INTEGER' }, 'must be one of "STRING"', 'validation.invalidEnumValue'],
  [{ name: 'c', definition: { type: 'INT' } }, 'must be one of "STRING"', 'validation.invalidEnumValue'],
])('B3: a column that cannot be is refused in words: %#', async (body, text, code) => {
  const tableId = 'in.c-refused.t' as TableId;
  await harness.tableStore.createTable(tableId, ['a', 'b'], { signal }).catch(() => undefined);
  const answer = await add(`/v2/storage/tables/${tableId}/columns`, body);
  expect(answer).toMatchObject({ status: 400, body: { code } });
  expect(answer.text.replaceAll('\\"', '"')).toContain(text);
  expect(answer.text.length).toBeLessThan(1000);
  expect((await harness.tableStore.describeTable(tableId, { signal }))?.columns).toEqual(['a', 'b']);
});

test('B3: a column that is not there, the last one and one of the key stay, with a reason', async () => {
  const { tableId, path } = await made('kept');
  expect(await add(path, { name: 'total' })).toMatchObject({ status: 201 });
  const unknown = {
    code: 'storage.tables.columnNotFound',
    error: matching(/no column "Total"; did you mean "total"\?/),
  };
  expect(await drop(path, 'Total')).toMatchObject({ status: 404, body: unknown });
  const key = { code: 'storage.tables.inUse', error: matching(/part of the primary key \("a"\)/) };
  expect(await drop(path, 'a')).toMatchObject({ status: 409, body: key });
  await harness.tableStore.createTable('in.c-kept.one' as TableId, ['a'], { signal });
  const last = { code: 'storage.tables.validation', error: matching(/only column/) };
  expect(await drop('/v2/storage/tables/in.c-kept.one/columns', 'a')).toMatchObject({ status: 400, body: last });
  expect(await add('/v2/storage/tables/in.c-none.t/columns', { name: 'c' })).toMatchObject({ status: 404 });
  const letters = '/v2/storage/tables/sys.c-millrace.dead_letters/columns';
  expect([404, 409]).toContain((await add(letters, { name: 'c' })).status);
  expect(await rowsOf(tableId)).toEqual([['1', '2', '']]);
});

test('B3: the columns that a sink fills stay, and the refusal names it and the way', async () => {
  const tableId = 'in.c-sink.t' as TableId;
  await sink('filler', tableId, ['a', 'b']);
  const path = `/v2/storage/tables/${tableId}/columns`;
  const inUse = {
    status: 409,
    body: { code: 'storage.tables.inUse', error: matching(/filler\/k fills it.*--alter-table/) },
  };
  expect(await add(path, { name: 'c' })).toMatchObject(inUse);
  expect(await drop(path, 'b')).toMatchObject(inUse);
  expect(await harness.api.call('GET', `/v2/storage/tables/${tableId}`)).toMatchObject({ columns: ['a', 'b'] });
});

test('B3: a column that a sink lacks, or has too few of, is no reason: the change makes them fit again', async () => {
  const tableId = 'in.c-heal.t' as TableId;
  await sink('healed', tableId, ['a', 'b']);
  const path = `/v2/storage/tables/${tableId}/columns`;
  const byHand = (dropped: readonly string[], added: readonly string[], before = ['a', 'b']) =>
    harness.tableStore.alterTable(tableId, { before, dropped, renamed: [], added }, { signal });
  await byHand([], ['extra']);
  expect(await drop(path, 'extra')).toMatchObject({ status: 204 });
  await byHand(['b'], []);
  expect(await add(path, { name: 'b' })).toMatchObject({ status: 201, body: { columns: ['a', 'b'] } });
});

test('B3: who may only read changes no column', async () => {
  const { token } = await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', { role: 'readOnly' });
  const { tableId, path } = await made('reader');
  const headers = { 'X-StorageApi-Token': token };
  const answers = await Promise.all([
    fetch(`${harness.base}${path}/b`, { method: 'DELETE', headers }),
    fetch(`${harness.base}${path}`, { method: 'POST', headers, body: new URLSearchParams({ name: 'c' }) }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([403, 403]);
  expect(await rowsOf(tableId)).toEqual([['1', '2']]);
});
