import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { sinkDocuments } from '../documents/sink-document.ts';
import { sourceDocuments } from '../documents/source-document.ts';
import { defaultBranch, parseSinkId, parseSourceId } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import type { Version } from '../core/source.ts';
import { changeSink, changeSource } from './store/write-document.ts';

const shop = '/v1/branches/default/sources/shop';
const never = { signal: new AbortController().signal };
const key = { branchId: defaultBranch, sourceId: parseSourceId('shop') };
const columns = [{ type: 'uuid', name: 'id' }];

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  const sinks = [{ name: 'k', table: { tableId: 'in.c-shop.k', mapping: { columns } } }];
  await harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'shop', sinks });
  const { catalog } = harness.dependencies;
  await changeSource(catalog, { key, change: (source) => atLimit(sourceDocuments.parse(source)) }, never);
  const sinkKey = { ...key, sinkId: parseSinkId('k') };
  await changeSink(catalog, { key: sinkKey, change: (sink) => atLimit(sinkDocuments.parse(sink)) }, never);
});

afterAll(() => harness[Symbol.asyncDispose]());

function atLimit<Versioned extends { readonly version: Version }>(object: Versioned): Versioned {
  return { ...object, version: { ...object.version, number: limits.versionsPerObject } };
}

test.each([
  ['PATCH', shop, { name: 'shop' }],
  ['PUT', `${shop}/enable`, undefined],
  ['PATCH', `${shop}/sinks/k`, { table: { mapping: { columns } } }],
  ['PUT', `${shop}/sinks/k/enable`, undefined],
])(
  'A23: what changes nothing succeeds also where there is no room for a version: %s %s',
  async (method, path, body) => {
    await harness.api.task(method, path, body);
  },
);

test.each([
  ['PATCH', shop, { name: 'Shop' }],
  ['PUT', `${shop}/disable`, undefined],
  ['PATCH', `${shop}/sinks/k`, { name: 'K' }],
  ['PUT', `${shop}/sinks/k/disable`, undefined],
])('D8: a version past the limit is refused: %s %s', async (method, path, body) => {
  expect(await harness.api.request(method, path, body)).toMatchObject({
    status: 409,
    body: { error: 'stream.api.versionCountLimitReached' },
  });
});
