import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Fuse } from '../../test/support/fuse.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import { parseBranchId, parseSourceId } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import type { Source } from '../core/source.ts';
import { changeSource } from './store/write-document.ts';

const S = '/v1/branches/default/sources';
const count = 'storage.level.staging.upload.trigger.count';
const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
const signal = new AbortController().signal;

interface Settings {
  readonly settings: readonly { readonly key: string; readonly value: unknown; readonly inheritedFrom: string }[];
}

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks: [{ name: 'orders', table }] });
});

afterAll(() => harness[Symbol.asyncDispose]());

const find = ({ settings }: Settings, key: string) => settings.find((setting) => setting.key === key);

async function flushed({ dependencies }: AdminHarness): Promise<unknown> {
  const [found] = await dependencies.catalog.list({ collection: 'progress', prefix: '' }, { signal });
  return progressDocuments.parse(found?.value).flush;
}

test('A6, A8: a patch answers 200 with all settings; a sink shows where a value comes from', async () => {
  const answer = await harness.api.request('PATCH', `${S}/shop/settings`, { settings: [{ key: count, value: 77 }] });
  expect(answer.status).toBe(200);
  expect(find(answer.body as Settings, count)).toMatchObject({ value: 77, inheritedFrom: 'source', overwritten: true });
  const sink = await harness.api.call<Settings>('GET', `${S}/shop/sinks/orders/settings`);
  expect(find(sink, count)).toMatchObject({
    value: 77,
    inheritedFrom: 'source',
    overwritten: false,
    defaultValue: 10_000,
  });
});

test('A9: changed conditions of the source ask its sinks to move what is waiting at once', async () => {
  expect(await flushed(harness)).toEqual({ 0: 0 });
});

test('A7: null removes an override; other keys stay', async () => {
  const path = `${S}/shop/sinks/orders/settings`;
  await harness.api.call('PATCH', path, { settings: [{ key: count, value: 5 }] });
  expect(find(await harness.api.call<Settings>('GET', path), count)).toMatchObject({ value: 5, inheritedFrom: 'sink' });
  await harness.api.call('PATCH', path, { settings: [{ key: count, value: null }] });
  expect(find(await harness.api.call<Settings>('GET', path), count)).toMatchObject({
    value: 77,
    inheritedFrom: 'source',
  });
});

test('a patch makes a version of the sink, one that changes nothing does not', async () => {
  const before = await harness.api.call('GET', `${S}/shop/sinks/orders`);
  expect(before).toMatchObject({ version: { number: 3, description: 'Updated settings.' } });
  await harness.api.call('PATCH', `${S}/shop/sinks/orders/settings`, {});
  expect(await harness.api.call('GET', `${S}/shop/sinks/orders`)).toEqual(before);
});

test.each([
  { of: 'source', path: `${S}/shop/settings` },
  { of: 'sink', path: `${S}/shop/sinks/orders/settings` },
])(
  'A9: settings of a $of never change without their sinks being asked to move, wherever the stores fail',
  async ({ path }) => {
    const fuse = new Fuse();
    await using other = await startAdmin((dependencies) => fuse.behind(dependencies));
    await other.api.task('POST', S, { type: 'http', name: 'shop', sinks: [{ name: 'orders', table }] });
    for (let writes = 0; ; writes += 1) {
      fuse.burnAfter(writes, 'outage');
      const { status } = await other.api.request('PATCH', path, { settings: [{ key: count, value: 12 }] });
      fuse.mend();
      const { value } = find(await other.api.call<Settings>('GET', path), count) ?? {};
      expect(status).toBe(value === 12 ? 200 : 503);
      if (value !== 12) continue;
      expect(await flushed(other)).toEqual({ 0: 0 });
      expect(writes).toBeGreaterThan(1);
      return;
    }
  },
);

test('D9: a format that names schemas is refused where there is no registry, in words; raw is not', async () => {
  const patch = (value: unknown) =>
    harness.api.request('PATCH', `${S}/shop/settings`, { settings: [{ key: 'kafka.value.format', value }] });
  for (const format of ['avro', 'json-schema', 'protobuf']) {
    const answer = await patch(format);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(answer.body)).toMatch(/kafka.value.format.*needs a schema registry.*schemaRegistry/);
  }
  expect((await patch('raw')).status).toBe(200);
  expect((await patch(null)).status).toBe(200);
  expect((await patch('xml')).status).toBe(400);
});

describe('A9: a patch asks to move at once exactly the sinks whose conditions become others', () => {
  const interval = 'storage.level.target.import.trigger.interval';
  const wait = 'storage.level.local.encoding.sync.wait';

  test.each([
    { of: 'a source', patch: { [count]: 5 }, moved: ['inherits'] },
    { of: 'a source', patch: { [interval]: '45s' }, moved: ['inherits', 'overrides'] },
    { of: 'a source', patch: { [wait]: false, 'ingest.batch': 'auto' }, moved: [] },
    { of: 'a source, to the value that is inherited', patch: { [interval]: '60s' }, moved: [] },
    { of: 'a sink', patch: { [count]: 6 }, moved: ['overrides'], path: '/sinks/overrides' },
    {
      of: 'a sink, taking its override away',
      patch: { [count]: null },
      moved: ['overrides'],
      path: '/sinks/overrides',
    },
    { of: 'a sink, to the value that it has', patch: { [count]: 7 }, moved: [], path: '/sinks/overrides' },
    { of: 'a sink, to the value that it inherits', patch: { [count]: 10_000 }, moved: [], path: '/sinks/inherits' },
  ])('of $of: $patch', async ({ patch, moved, path = '' }) => {
    await using other = await startAdmin();
    const sinks = ['inherits', 'overrides'].map((name) => ({ name, table }));
    await other.api.task('POST', S, { type: 'http', name: 'shop', sinks });
    await other.api.call('PATCH', `${S}/shop/sinks/overrides/settings`, { settings: [{ key: count, value: 7 }] });
    const before = await revisions(other);
    const settings = Object.entries<unknown>(patch).map(([key, value]) => ({ key, value }));
    await other.api.call('PATCH', `${S}/shop${path}/settings`, { settings });
    const after = await revisions(other);
    expect(Object.keys(after).filter((sinkId) => after[sinkId] !== before[sinkId])).toEqual(moved);
  });

  async function revisions({ dependencies }: AdminHarness): Promise<Readonly<Record<string, string>>> {
    const found = await dependencies.catalog.list({ collection: 'progress', prefix: '' }, { signal });
    const byId = found.map(
      ({ value, revision }) => [progressDocuments.parse(value).key.sinkId, String(revision)] as const,
    );
    return Object.fromEntries(byId);
  }
});

describe('what a patch refuses', () => {
  const size = 'storage.level.staging.upload.trigger.size';
  const closed = 'storage.level.local.encoding.compression.gzip.level';
  const patch = (settings: readonly object[], path = '') =>
    harness.api.request('PATCH', `${S}/shop${path}/settings`, { settings });

  test('A5: a value out of range, in the request, naming key, value and range', async () => {
    expect(await patch([{ key: size, value: '51MB' }])).toMatchObject({
      status: 400,
      body: {
        statusCode: 400,
        error: 'stream.api.badRequest',
        message: `Invalid "${size}" value "51MB": must be from 100B to 50MB.`,
      },
    });
  });

  test('a protected key alone is forbidden; among other problems all of them are named at once', async () => {
    for (const path of ['', '/sinks/orders'])
      expect(await patch([{ key: closed, value: 2 }], path)).toMatchObject({
        status: 403,
        body: { error: 'stream.api.forbidden', message: `Cannot modify protected keys: "${closed}".` },
      });
    const settings = [
      { key: closed, value: null },
      { key: 'no.such', value: 1 },
      { key: size, value: 1 },
      { key: size, value: 'bar' },
      { key: count, value: '5' },
      { key: 'kafka.value.format', value: 'avro' },
    ];
    expect(await patch(settings)).toMatchObject({
      status: 400,
      body: {
        error: 'stream.api.badRequest',
        message: `- Key "${size}" is defined multiple times.
- Key not found: "no.such".
- Invalid "${count}" value: found type "string", expected "int".
- Invalid "${size}" value "bar": invalid syntax.
- Cannot modify protected keys: "${closed}".
- Invalid "kafka.value.format" value: "avro" needs a schema registry, and this installation has none: add "schemaRegistry" to its topology, or use "raw".`,
      },
    });
  });

  test('a setting of the source on a sink, and what is not there', async () => {
    expect(await patch([{ key: 'ingest.batch', value: 'auto' }], '/sinks/orders')).toMatchObject({ status: 400 });
    expect(await patch([], '/sinks/none')).toMatchObject({ status: 404, body: { error: 'stream.api.sinkNotFound' } });
    const none = await harness.api.request('PATCH', `${S}/none/settings`, {});
    expect(none).toMatchObject({ status: 404, body: { error: 'stream.api.sourceNotFound' } });
  });

  test('nothing of a patch that is refused stands', async () => {
    const before = await harness.api.call('GET', `${S}/shop/settings`);
    await patch([
      { key: count, value: 1 },
      { key: size, value: '1GB' },
    ]);
    expect(await harness.api.call('GET', `${S}/shop/settings`)).toEqual(before);
  });
});

test.each([
  ['storage.level.staging.upload.trigger.interval', '1s', '999ms'],
  ['storage.level.target.import.trigger.interval', '30s', '29s'],
  ['storage.level.staging.upload.trigger.size', '100B', '99B'],
])('A10: %s may be %s, and means it; %s is refused', async (key, least, less) => {
  const patch = (value: string) =>
    harness.api.request('PATCH', `${S}/shop/sinks/orders/settings`, { settings: [{ key, value }] });
  expect(find((await patch(least)).body as Settings, key)).toMatchObject({ value: least, inheritedFrom: 'sink' });
  expect((await patch(less)).status).toBe(400);
});

test('numbers are bytes and nanoseconds; values are kept and shown in their canonical text', async () => {
  const interval = 'storage.level.staging.upload.trigger.interval';
  const size = 'storage.level.staging.upload.trigger.size';
  const settings = [
    { key: interval, value: 90_000_000_000 },
    { key: size, value: 4096 },
  ];
  const answer = await harness.api.call<Settings>('PATCH', `${S}/shop/settings`, { settings });
  expect(find(answer, interval)).toMatchObject({ value: '1m30s', inheritedFrom: 'source' });
  expect(find(answer, size)).toMatchObject({ value: '4KB', inheritedFrom: 'source' });
});

test('A23: a patch that changes nothing makes no version, whatever it describes; one past the limit of versions is refused', async () => {
  const path = `${S}/shop/settings`;
  await harness.api.call('PATCH', path, { settings: [{ key: count, value: 78 }], changeDescription: 'Faster.' });
  const before = await harness.api.call<{ version: object }>('GET', `${S}/shop`);
  expect(before.version).toMatchObject({ description: 'Faster.' });
  await harness.api.call('PATCH', path, { settings: [{ key: count, value: 78.5 }], changeDescription: 'Again.' });
  expect(await harness.api.call('GET', `${S}/shop`)).toEqual(before);
  const change = (source: Source | undefined) =>
    source && { ...source, version: { ...source.version, number: limits.versionsPerObject } };
  const shop = { branchId: parseBranchId('default'), sourceId: parseSourceId('shop') };
  await changeSource(harness.dependencies.catalog, { key: shop, change }, { signal });
  const refused = await harness.api.request('PATCH', path, { settings: [{ key: count, value: 79 }] });
  expect(refused).toMatchObject({ status: 409, body: { error: 'stream.api.versionCountLimitReached' } });
  expect((await harness.api.request('PATCH', path, { settings: [{ key: count, value: 78 }] })).status).toBe(200);
});
