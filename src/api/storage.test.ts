import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { describedFetch } from '../../test/support/api.ts';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { matching } from '../../test/support/matching.ts';
import type { TableId } from '../core/table-id.ts';
import type { Incarnation } from '../core/ids.ts';
import { TokenStore } from '../control/store/tokens.ts';

const signal = new AbortController().signal;
const tableId = 'in.c-shop.orders' as TableId;
const T = `/v2/storage/tables/${tableId}`;

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  const { tableStore: tables } = harness;
  await tables.createTable(tableId, ['id', 'text'], { signal });
  const incarnation = 5 as Incarnation;
  await tables.createLedger(incarnation, { signal });
  const csv = Buffer.from(`"1","a ""quoted"", cell"\n"2","${'x'.repeat(20_000)}"\n`);
  const rows = [
    {
      name: 'a.csv',
      bytes: csv.length,
      localPath: undefined,
      open: async () => Readable.from([csv]),
    },
  ];
  const request = {
    incarnation,
    number: 1,
    id: 'i',
    tableId,
    columns: ['id', 'text'],
    rows,
    dead: [],
    expected: { rows: 2, dead: 0 },
    before: { rows: 0, dead: 0 },
  };
  await tables.import(request, { signal });
});

afterAll(() => harness[Symbol.asyncDispose]());

test('tables are listed with columns and counts', async () => {
  const expected = {
    id: tableId,
    name: 'orders',
    bucket: { id: 'in.c-shop', stage: 'in' },
    columns: ['id', 'text'],
    rowsCount: 2,
    primaryKey: [],
  };
  expect(await harness.api.call('GET', '/v2/storage/tables')).toMatchObject([expected]);
  expect(await harness.api.call('GET', T)).toMatchObject(expected);
});

test('a preview is CSV, or JSON with the column at every cell and long cells cut', async () => {
  const csv = await harness.api.request('GET', `${T}/data-preview?limit=1`);
  expect(csv.text).toBe('"id","text"\n"1","a ""quoted"", cell"\n');
  const json = await harness.api.call<{ rows: { value: string; isTruncated: boolean }[][] }>(
    'GET',
    `${T}/data-preview?format=json`,
  );
  expect(json.rows[0]).toEqual([
    { columnName: 'id', value: '1', isTruncated: false },
    { columnName: 'text', value: 'a "quoted", cell', isTruncated: false },
  ]);
  expect(json.rows[1]?.[1]).toMatchObject({ isTruncated: true, value: matching(/^x{16384}$/) });
  const some = await harness.api.request('GET', `${T}/data-preview?columns=text&limit=1`);
  expect(some.text).toBe('"text"\n"a ""quoted"", cell"\n');
  expect(await harness.api.request('GET', `${T}/data-preview?columns=nope`)).toMatchObject({
    status: 400,
    body: { code: 'storage.tables.validation' },
  });
});

test('A51: a preview shows the rows with the cells that are looked for, the first or the last of them', async () => {
  const show = (query: Readonly<Record<string, string>>) =>
    harness.api.request('GET', `${T}/data-preview?${new URLSearchParams({ columns: 'id', ...query }).toString()}`);
  const where = (cells: unknown) => ({ where: JSON.stringify(cells) });
  expect((await show({ limit: '1', last: 'true' })).text).toBe('"id"\n"2"\n');
  expect((await show({ last: 'true' })).text).toBe('"id"\n"1"\n"2"\n');
  expect((await show(where({ text: 'a "quoted", cell' }))).text).toBe('"id"\n"1"\n');
  expect((await show(where({ text: 'a "quoted", cell', id: '2' }))).text).toBe('"id"\n');
  for (const hostile of ["' OR ''='", '"', '%', 'A "QUOTED", CELL'])
    expect((await show(where({ text: hostile }))).text).toBe('"id"\n');
});

test('A51: a condition that is none is refused, in words that name what is wrong with it', async () => {
  const refusal = async (text: string): Promise<unknown> => {
    const { status, body } = await harness.api.request(
      'GET',
      `${T}/data-preview?${new URLSearchParams({ where: text }).toString()}`,
    );
    expect({ status, body }).toMatchObject({ status: 400, body: { code: 'storage.tables.validation' } });
    return (body as { readonly error: unknown }).error;
  };
  expect(await refusal('{"texts":"a"}')).toBe(
    'The table "in.c-shop.orders" has no column "texts"; did you mean "text"?',
  );
  expect(await refusal('{"__proto__":"a"}')).toBe(
    'The table "in.c-shop.orders" has no column "__proto__"; there are id, text.',
  );
  const shape = '"where" must be a JSON object of at most 20 columns and texts, as {"customer":"Ada"}, but got value';
  for (const text of ['id=1', '[]', 'null', '{"id":1}', '{"id":{"ne":"1"}}'])
    expect(await refusal(text)).toBe(`${shape} "${text}".`);
  const many = Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`c${at}`, '']));
  expect(await refusal(JSON.stringify(many))).toContain(shape);
  expect(await refusal('{"id":"\\u0000"}')).toBe(
    'No cell of column "id" can be the text in "where": it contains the character U+0000.',
  );
});

test('D8: a preview shows 16 MB of rows at most, and says that it leaves some out', async () => {
  const { tableStore: tables } = harness;
  const [large, incarnation] = ['in.c-shop.large' as TableId, 6 as Incarnation];
  await tables.createTable(large, ['a'], { signal });
  await tables.createLedger(incarnation, { signal });
  const csv = Buffer.from(`"${'x'.repeat(1_400_000)}"\n`.repeat(15));
  const content = { name: 'large', bytes: csv.length, localPath: undefined, open: async () => Readable.from([csv]) };
  const counts = { rows: [content], dead: [], expected: { rows: 15, dead: 0 }, before: { rows: 0, dead: 0 } };
  await tables.import({ incarnation, number: 1, id: 'l', tableId: large, columns: ['a'], ...counts }, { signal });
  const show = (query: string): Promise<Response> =>
    describedFetch(`${harness.base}/v2/storage/tables/${large}/data-preview?${query}`, {
      headers: { 'X-StorageApi-Token': rootToken },
    });
  const json = await show('format=json');
  expect(json.headers.get('millrace-truncated')).toBe('true');
  const shown = (await json.json()) as { readonly rows: readonly unknown[]; readonly isTruncated?: boolean };
  expect([shown.rows.length, shown.isTruncated]).toEqual([11, true]);
  const text = await show('limit=1000');
  expect(text.headers.get('millrace-truncated')).toBe('true');
  expect((await text.text()).trim().split('\n')).toHaveLength(12);
  const few = await show('limit=11&format=json');
  expect(few.headers.has('millrace-truncated')).toBe(false);
  expect(await few.json()).not.toHaveProperty('isTruncated');
});

test.each([
  ['csv', 'text/csv; charset=utf-8', /^"id","text"\n"1",/],
  ['ndjson', 'application/x-ndjson', /^\{"id":"1","text":"a \\"quoted\\", cell"\}\n/],
  ['parquet', 'application/vnd.apache.parquet', /^PAR1/],
])('an export as %s streams the whole table', async (format, type, beginning) => {
  const response = await describedFetch(`${harness.base}${T}/export?format=${format}`, {
    headers: { 'X-StorageApi-Token': rootToken },
  });
  expect(response.headers.get('content-type')).toBe(type);
  expect(response.headers.get('content-disposition')).toContain(`${tableId}.${format}`);
  expect(await response.text()).toMatch(beginning);
});

test('a token verifies itself; the token of a sink, and a read-only one, may do no more than their kind', async () => {
  const { catalog, random } = harness.dependencies;
  const tokens = new TokenStore({ catalog, random, projectId: 7, rootTokenHash: '' });
  const created = { at: new Date(0).toISOString(), by: { type: 'system' } } as const;
  const reader = await tokens.issue({ description: 'r', scope: { kind: 'readOnly' }, created }, { signal });
  const sink = await tokens.issue(
    {
      description: 's',
      scope: {
        kind: 'sink',
        sink: { branchId: 1, sourceId: 'a', sinkId: 'b' } as never,
        incarnation: 2 as Incarnation,
        writeBuckets: ['in.c-shop'],
        canReadAllFileUploads: true,
      },
      created,
    },
    { signal },
  );
  const as = async (text: string, method: string, path: string) => {
    const response = await describedFetch(`${harness.base}${path}`, {
      method,
      headers: { 'X-StorageApi-Token': text },
    });
    return { status: response.status, body: (await response.json()) as object };
  };
  expect(await as(rootToken, 'GET', '/v2/storage/tokens/verify')).toMatchObject({
    body: { isMasterToken: true, owner: { id: 7 } },
  });
  expect(await as(sink.text, 'GET', '/v2/storage/tokens/verify')).toMatchObject({
    status: 200,
    body: { bucketPermissions: { 'in.c-shop': 'write' }, canReadAllFileUploads: true, isMasterToken: false },
  });
  expect(await as(sink.text, 'GET', '/v2/storage/tables')).toMatchObject({
    status: 403,
    body: { code: 'accessDenied' },
  });
  expect(await as(sink.text, 'GET', '/v1/branches/1/sources')).toMatchObject({
    status: 403,
    body: { error: 'stream.api.forbidden' },
  });
  expect(await as(reader.text, 'GET', '/v1/branches/1/sources')).toMatchObject({ status: 200 });
  expect(await as(reader.text, 'DELETE', '/v1/branches/1/sources/x')).toMatchObject({
    status: 403,
    body: { message: 'Only admin token can do write operations on streams.' },
  });
  const list = await harness.api.request('GET', '/v2/storage/tokens');
  expect(list.text).not.toContain(sink.text);
  expect(list.text).not.toContain(sink.token.hash);
});
