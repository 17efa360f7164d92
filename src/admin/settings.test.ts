import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { Fuse } from '../../test/support/fuse.ts';
import { parseProgressDocument } from '../core/documents/progress-document.ts';

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
  return parseProgressDocument(found?.value).flush;
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
