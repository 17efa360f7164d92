import { afterAll, beforeAll, expect, test } from 'vitest';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { describedFetch } from '../../test/support/api.ts';
import { matching } from '../../test/support/matching.ts';

const B = '/v2/storage/buckets';
let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const make = (bucketId: string, body: object) =>
  harness.api.request('POST', `${B}/${bucketId}/tables-definition`, body);
const columns = (...names: readonly string[]) => names.map((name) => ({ name }));

test('A49: a table is made with its columns and its primary key', async () => {
  const body = {
    name: 'customers',
    columns: [
      { name: 'id', definition: { type: 'VARCHAR' } },
      { name: 'Größe', basetype: 'STRING' },
    ],
    primaryKeysNames: ['id'],
  };
  const made = {
    id: 'in.c-made.customers',
    columns: ['id', 'Größe'],
    primaryKey: ['id'],
    rowsCount: 0,
    bucket: { id: 'in.c-made', name: 'c-made', stage: 'in' },
  };
  expect(await make('in.c-made', body)).toMatchObject({ status: 201, body: made });
  expect(await harness.api.call('GET', '/v2/storage/tables/in.c-made.customers')).toMatchObject(made);
  const exists = { status: 409, body: { code: 'storage.tables.alreadyExists', error: matching(/customers/) } };
  expect(await make('in.c-made', body)).toMatchObject(exists);
  expect(await make('in.c-made', { ...body, name: 'CUSTOMERS' })).toMatchObject({ status: 409 });
});

test.each([
  ['in.c-bad', { name: 't' }, '"columns" is missing from body'],
  ['in.c-bad', { name: 't', columns: [] }, 'ength of body.columns must be greater or equal than 1'],
  ['in.c-bad', { name: 't', columns: columns('') }, 'ength of body.columns[0].name must be greater or equal'],
  ['in.c-bad', { name: 't', columns: columns('x'.repeat(65)) }, 'must be lesser or equal than 64'],
  ['in.c-bad', { name: 't', columns: columns('a', 'A') }, 'ody.columns names the column "A" twice'],
  ['in.c-bad', { name: 't', columns: columns('a'), primaryKeysNames: ['b'] }, 'ody.primaryKeysNames names "b"'],
  ['in.c-bad', { name: 't', columns: columns('a'), primaryKeysNames: ['a', 'a'] }, 'names the column "a" twice'],
  ['in.c-bad', { name: 't', columns: [{ name: 'a', basetype: 'INTEGER' }] }, 'must be one of "STRING"'],
  ['in.c-bad', { name: 't', columns: [{ name: 'a', definition: { type: 'INT' } }] }, 'must be one of "STRING"'],
  ['in.c-bad', { name: 'a.b', columns: columns('a') }, 'unexpected number of fragments'],
  ['in', { name: 't', columns: columns('a') }, 'unexpected number of fragments'],
  ['up.c-bad', { name: 't', columns: columns('a') }, 'unexpected stage "up"'],
  ['sys.c-millrace', { name: 't', columns: columns('a') }, `"sys" holds the product's own tables`],
])('A49: a table that cannot be made is refused in words: %s %j', async (bucketId, body, text) => {
  const answer = await make(bucketId, body);
  expect(answer).toMatchObject({ status: 400 });
  expect(answer.text.replaceAll('\\"', '"')).toContain(text);
  expect(await harness.api.request('GET', `${B}/${bucketId}`)).toMatchObject({ status: 404 });
});

test('A49: buckets are those that have tables', async () => {
  for (const name of ['a', 'b']) await make('out.c-two', { name, columns: columns('a') });
  const bucket = { id: 'out.c-two', name: 'c-two', stage: 'out', tablesCount: 2, rowsCount: 0 };
  expect(await harness.api.call('GET', `${B}/out.c-two`)).toMatchObject(bucket);
  expect(await harness.api.call('GET', B)).toContainEqual(await harness.api.call('GET', `${B}/out.c-two`));
  const tables = [{ id: 'out.c-two.a' }, { id: 'out.c-two.b' }];
  expect(await harness.api.call('GET', `${B}/out.c-two/tables`)).toMatchObject(tables);
  for (const name of ['a', 'b']) await harness.api.request('DELETE', `/v2/storage/tables/out.c-two.${name}`);
  for (const path of [`${B}/out.c-two`, `${B}/out.c-two/tables`])
    expect(await harness.api.request('GET', path)).toMatchObject({
      status: 404,
      body: { code: 'storage.buckets.notFound', error: 'The bucket "out.c-two" was not found in the project.' },
    });
});

const create = (body: unknown) => harness.api.request('POST', B, body);

test('B1: a bucket is made with its name, in JSON or a form, and stays when its last table goes', async () => {
  const made = { id: 'in.c-kept', name: 'c-kept', displayName: 'Kept', description: 'd', stage: 'in', tablesCount: 0 };
  const body = { stage: 'in', name: 'kept', displayName: 'Kept', description: 'd', backend: 'snowflake' };
  expect(await create(body)).toMatchObject({ status: 201, body: { ...made, created: { by: { type: 'user' } } } });
  expect(await harness.api.call('GET', B)).toContainEqual(await harness.api.call('GET', `${B}/in.c-kept`));
  expect(await harness.api.call('GET', `${B}/in.c-kept/tables`)).toEqual([]);
  await make('in.c-kept', { name: 't', columns: columns('a') });
  expect(await harness.api.call('GET', `${B}/in.c-kept`)).toMatchObject({ ...made, tablesCount: 1 });
  await harness.api.request('DELETE', '/v2/storage/tables/in.c-kept.t');
  expect(await harness.api.call('GET', `${B}/in.c-kept`)).toMatchObject(made);
  const form = await describedFetch(`${harness.base}${B}`, {
    method: 'POST',
    headers: { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: 'stage=out&name=c-formed',
  });
  expect([form.status, await form.json()]).toMatchObject([201, { id: 'out.c-formed', displayName: 'c-formed' }]);
});

test('B1: a bucket that is there, made or with a table, in any letter case, is not made again', async () => {
  await create({ stage: 'in', name: 'There' });
  await make('in.c-implicit', { name: 't', columns: columns('a') });
  const code = { status: 400, body: { code: 'storage.buckets.alreadyExists' } };
  for (const name of ['There', 'c-There', 'THERE', 'implicit', 'Implicit'])
    expect(await create({ stage: 'in', name })).toMatchObject(code);
  const { text } = await create({ stage: 'in', name: 'there' });
  expect(text).toContain('The bucket \\"in.c-there\\" already exists in the project, as \\"in.c-There\\".');
  expect(await create({ stage: 'out', name: 'There' })).toMatchObject({ status: 201 });
  const many = await Promise.all(Array.from({ length: 5 }, () => create({ stage: 'in', name: 'raced' })));
  expect(many.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 400, 400, 400, 400]);
});

test.each([
  [{ stage: 'in' }, 'ody.name is missing'],
  [{ name: 'x' }, 'ody.stage is missing'],
  [{ stage: 'sys', name: 'x' }, 'ody.stage must be "in" or "out" but got value "sys"'],
  [{ stage: 'in', name: '' }, 'ody.name must be a text of 1 to 96 characters'],
  [{ stage: 'in', name: 'c-' }, 'cannot be empty'],
  [{ stage: 'in', name: 'a.b' }, 'nvalid bucket ID "in.c-a.b"'],
  [{ stage: 'in', name: '../../etc' }, 'nvalid bucket ID'],
  [{ stage: 'in', name: `a"; DROP SCHEMA x; --` }, 'nvalid bucket ID'],
  [{ stage: 'in', name: 'a\u0000b' }, 'ody.name must be a text'],
  [{ stage: 'in', name: 'x'.repeat(95) }, 'nvalid bucket ID'],
  [{ stage: 'in', name: 'x'.repeat(100_000) }, 'ody.name must be a text'],
  [{ stage: 'in', name: 7 }, 'ody.name must be a text'],
  [{ stage: ['in'], name: 'x' }, 'ody.stage must be'],
  [{ stage: 'in', name: 'x', description: 'x'.repeat(5000) }, 'ody.description must be a text'],
])('B1: a bucket that cannot be is refused in words: %#', async (body, text) => {
  const answer = await create(body);
  expect(answer).toMatchObject({ status: 400, body: { code: 'storage.buckets.validation' } });
  expect(answer.text.replaceAll('\\"', '"')).toContain(text);
  expect(answer.text.length).toBeLessThan(1000);
});

test('B2: a bucket is deleted when it is empty, with its tables when that is asked for', async () => {
  await create({ stage: 'in', name: 'gone' });
  for (const name of ['a', 'b']) await make('in.c-gone', { name, columns: columns('a') });
  const kept = await harness.api.request('DELETE', `${B}/in.c-gone`);
  const error = 'Only empty buckets can be deleted. There are 2 tables in the bucket "in.c-gone".';
  expect(kept).toMatchObject({ status: 400, body: { code: 'buckets.deleteNotEmpty', error } });
  expect(await harness.api.call('GET', `${B}/in.c-gone`)).toMatchObject({ tablesCount: 2 });
  expect(await harness.api.request('DELETE', `${B}/in.c-gone?force=true`)).toMatchObject({ status: 204 });
  expect(await harness.api.request('GET', '/v2/storage/tables/in.c-gone.a')).toMatchObject({ status: 404 });
  for (const id of ['in.c-gone', 'in.c-gone/..', 'in', 'in.c-gone.a', 'x'.repeat(500)])
    expect(await harness.api.request('DELETE', `${B}/${encodeURIComponent(id)}`)).toMatchObject({
      status: 404,
      body: { code: 'storage.buckets.notFound' },
    });
  await create({ stage: 'in', name: 'gone' });
  expect(await harness.api.request('DELETE', `${B}/in.c-gone`)).toMatchObject({ status: 204 });
  const system = await harness.api.request('DELETE', `${B}/sys.c-millrace?force=true`);
  expect(system).toMatchObject({ status: 400, body: { code: 'storage.buckets.validation' } });
});

test('B2: no table of a bucket goes while a sink fills one of them, whatever was asked for', async () => {
  const sinks = [
    { name: 'k', table: { tableId: 'in.c-filled.t', mapping: { columns: [{ type: 'uuid', name: 'a' }] } } },
  ];
  await harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'filling', sinks });
  await make('in.c-filled', { name: 'other', columns: columns('a') });
  const answer = await harness.api.request('DELETE', `${B}/in.c-filled?force=true`);
  expect(answer).toMatchObject({
    status: 409,
    body: { code: 'storage.tables.inUse', error: matching(/filling\/k fills it/) },
  });
  expect(await harness.api.call('GET', `${B}/in.c-filled`)).toMatchObject({ tablesCount: 2 });
});

test('B1, B2: who may only read makes and deletes none', async () => {
  const reader = await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', { role: 'readOnly' });
  const as = async (method: string, path: string, body?: object): Promise<unknown> => {
    const headers = { 'X-StorageApi-Token': reader.token, 'Content-Type': 'application/json' };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await describedFetch(`${harness.base}${path}`, init);
    return [response.status, await response.json()];
  };
  const refused = [403, { code: 'accessDenied' }];
  expect(await as('POST', B, { stage: 'in', name: 'x' })).toMatchObject(refused);
  expect(await as('DELETE', `${B}/in.c-filled?force=true`)).toMatchObject(refused);
});

test('B1, B2: the audit trail has who made a bucket and who deleted it', async () => {
  await create({ stage: 'in', name: 'audited', description: 'why' });
  await harness.api.request('DELETE', `${B}/in.c-audited`);
  const trail = await harness.api.call<{ entries: readonly object[] }>('GET', '/v1/branches/default/audit?limit=2');
  const object = { kind: 'bucket', bucketId: 'in.c-audited' };
  expect(trail.entries).toMatchObject([
    { operation: 'deleteBucket', object, outcome: 'success', before: { description: 'why' } },
    { operation: 'createBucket', object, outcome: 'success', after: { description: 'why' } },
  ]);
});
