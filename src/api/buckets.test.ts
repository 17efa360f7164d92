import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
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
