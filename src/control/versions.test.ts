import { putRaw } from '../../test/support/put-raw.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { sinkVersionId } from '../documents/document-id.ts';
import { parseSinkId, parseSourceId, defaultBranch } from '../core/ids.ts';

const S = '/v1/branches/default/sources';
const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
const K = `${S}/shop/sinks/orders`;

interface Page {
  readonly versions: readonly { readonly number: number; readonly hash: string; readonly description: string }[];
  readonly page: Readonly<Record<string, unknown>>;
}

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks: [{ name: 'orders', table }] });
  await harness.api.task('PATCH', `${S}/shop`, { description: 'second', changeDescription: 'Words.' });
  await harness.api.call('PATCH', `${S}/shop/settings`, { settings: [{ key: 'ingest.batch', value: 'lines' }] });
  await harness.api.task('PATCH', K, { name: 'Orders 2' });
  await harness.api.task('PUT', `${K}/disable`);
});

afterAll(() => harness[Symbol.asyncDispose]());

const list = (path: string): Promise<Page> => harness.api.call<Page>('GET', path);
const numbers = ({ versions }: Page): readonly number[] => versions.map(({ number }) => number);

describe.each([
  { of: 'source', path: `${S}/shop/versions`, texts: ['New source.', 'Words.', 'Updated settings.'] },
  { of: 'sink', path: `${K}/versions`, texts: ['New sink.', 'Updated.', 'Disabled.'] },
])('versions of a $of', ({ of, path, texts }) => {
  test('are listed ascending by number, with who made them and when', async () => {
    const all = await list(path);
    expect(all.page).toEqual({ limit: 100, totalCount: 3, afterId: '', lastId: '0000000003' });
    expect(all.versions.map(({ description }) => description)).toEqual(texts);
    expect(all.versions[0]).toEqual({
      number: 1,
      hash: expect.stringMatching(/^[0-9a-f]{16}$/) as string,
      description: texts[0],
      at: expect.stringMatching(/^\d{4}-.*\.\d{3}Z$/) as string,
      by: { type: 'user', tokenId: '1', tokenDesc: expect.any(String) as string },
    });
  });

  test('A14: pages follow each other by number, padded or not, and each counts all versions', async () => {
    const first = await list(`${path}?limit=2`);
    expect(first.page).toEqual({ limit: 2, totalCount: 3, afterId: '', lastId: '0000000002' });
    for (const afterId of ['2', '0000000002']) {
      const rest = await list(`${path}?limit=2&afterId=${afterId}`);
      expect(numbers(rest)).toEqual([3]);
      expect(rest.page).toEqual({ limit: 2, totalCount: 3, afterId: '0000000002', lastId: '0000000003' });
    }
    expect(await list(`${path}?afterId=0000000003`)).toEqual({
      versions: [],
      page: { limit: 100, totalCount: 3, afterId: '0000000003', lastId: '' },
    });
    expect(numbers(await list(`${path}?afterId=`))).toEqual([1, 2, 3]);
  });

  test('D9: a number that is none, and one that is not there, are told apart', async () => {
    const answer = (number: string) => harness.api.request('GET', `${path}/${number}`);
    expect((await answer('2dsad5')).body).toEqual({
      statusCode: 400,
      error: 'stream.api.invalidFieldType',
      message: 'Invalid value "2dsad5" for "versionNumber", must be an integer.',
    });
    for (const number of ['0', '-1', '1.5', '%20']) expect((await answer(number)).status).toBe(400);
    expect((await answer('123')).body).toEqual({
      statusCode: 404,
      error: `stream.api.${of}VersionNotFound`,
      message:
        of === 'sink'
          ? 'Sink version "orders/0000000123" not found in the source.'
          : 'Source version "shop/0000000123" not found in the branch.',
    });
    expect((await harness.api.request('GET', `${path}?afterId=x`)).status).toBe(400);
    expect((await harness.api.request('GET', `${path}?limit=101`)).status).toBe(400);
  });
});

test('a version shows what it defined, and no secret', async () => {
  const [version] = (await list(`${S}/shop/versions`)).versions;
  expect(await harness.api.call('GET', `${S}/shop/versions/0000000001`)).toEqual({
    ...version,
    definition: { type: 'http', name: 'shop', description: '', settings: {} },
  });
  expect(await harness.api.call('GET', `${S}/shop/versions/3`)).toMatchObject({
    definition: { description: 'second', settings: { 'ingest.batch': 'lines' } },
  });
  expect(await harness.api.call('GET', `${K}/versions/1`)).toMatchObject({
    number: 1,
    definition: { type: 'table', name: 'orders', table: { type: 'keboola', ...table }, settings: {} },
  });
});

test('what a change kept that did not get further is no version', async () => {
  const key = { branchId: defaultBranch, sourceId: parseSourceId('shop'), sinkId: parseSinkId('orders') };
  const id = sinkVersionId(key, 4);
  await putRaw(harness.dependencies.catalog, { collection: 'sink-version', id, value: {} });
  expect(numbers(await list(`${K}/versions`))).toEqual([1, 2, 3]);
  expect((await harness.api.request('GET', `${K}/versions/4`)).status).toBe(404);
});

test.each(['nowhere', 'Not an id'])('versions of what is not there: %s', async (id) => {
  const name = encodeURIComponent(id);
  for (const path of [`${S}/${name}`, `${S}/${name}/sinks/x`])
    expect((await harness.api.request('GET', `${path}/versions`)).body).toMatchObject({
      error: 'stream.api.sourceNotFound',
    });
  expect((await harness.api.request('GET', `${S}/shop/sinks/${name}/versions/1`)).body).toMatchObject({
    error: 'stream.api.sinkNotFound',
  });
});
