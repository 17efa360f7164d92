import { expect, test } from 'vitest';
import { progressId } from '../../src/documents/document-id.ts';
import type { Collection } from '../../src/ports/catalog.ts';
import { startAdmin, type AdminHarness } from '../support/admin-harness.ts';
import { DeliveryWorld, never } from '../support/faults/delivery-world.ts';
import { putRaw } from '../support/put-raw.ts';

const format = { version: 9, oldestWriter: 9 };
const sources = '/v1/branches/default/sources';

async function addSink({ api }: AdminHarness, sourceId: string, sinkId: string): Promise<void> {
  const columns = [{ type: 'uuid', name: 'id' }];
  const table = { type: 'keboola', tableId: `in.c-shop.${sinkId}`, mapping: { columns } };
  await api.task('POST', `${sources}/${sourceId}/sinks`, { sinkId, type: 'table', name: sinkId, table });
}

/** Source `shop` with sinks `a` and `b`, and source `other`. */
async function startShop(): Promise<AdminHarness> {
  const harness = await startAdmin();
  for (const sourceId of ['shop', 'other'])
    await harness.api.task('POST', sources, { sourceId, type: 'http', name: sourceId });
  for (const sinkId of ['a', 'b']) await addSink(harness, 'shop', sinkId);
  return harness;
}

const incarnation = '000000000000002';
const branch = '000000000000001';

test.each<readonly [Collection, string]>([
  ['task', 'api.create.sink/1/shop/x'],
  ['source', `${branch}/other`],
  ['sink', `${branch}/shop/a`],
  ['progress', incarnation],
  ['mapping', `${incarnation}/${branch}`],
  ['sink-status', `${incarnation}/import/another`],
  ['token', '2'],
  ['audit', `${branch}/000000000000001`],
])(
  'U2: a document of "%s" that only a newer release can read keeps no process from starting',
  async (collection, id) => {
    await using harness = await startShop();
    const { catalog } = harness.dependencies;
    const value = { anew: true, format };
    await putRaw(catalog, { collection, id, value });
    await harness.restart();
    await harness.api.task('PUT', `${sources}/shop/sinks/b/disable`);
    expect((await catalog.get(collection, id, never))?.value).toEqual(value);
  },
);

test('U2: the API says which document it cannot read, or may not change, and what to do', async () => {
  await using harness = await startShop();
  const { catalog } = harness.dependencies;
  const id = `${branch}/shop/a`;
  const known = (await catalog.get('sink', id, never))?.value as object;
  const words =
    'The document "000000000000001/shop/a" of the collection "sink" has format 9; this version of the product knows formats up to 1; ' +
    'Finish the upgrade: replace this process by one of the newer release. It changes nothing that it does not understand.';
  await putRaw(catalog, { collection: 'sink', id, value: { anew: true, format } });
  for (const path of [`${sources}/shop/sinks`, `${sources}/shop/sinks/a`])
    expect(await harness.api.request('GET', path)).toMatchObject({ status: 503, body: { message: words } });
  await harness.api.task('PATCH', `${sources}/shop`, { description: 'Beside it.' });
  await putRaw(catalog, { collection: 'sink', id, value: { ...known, format } });
  expect(await harness.api.call('GET', `${sources}/shop/sinks/a`)).toMatchObject({ sinkId: 'a' });
  await harness.api.task('PATCH', `${sources}/shop`, { description: 'Changed.' });
  const task = harness.api.task('PATCH', `${sources}/shop/sinks/a`, { description: 'Changed.' });
  await expect(task).rejects.toThrow(words);
});

test('U2: a process serves reads where only a newer release may take the seat', async () => {
  await using harness = await startShop();
  const { catalog } = harness.dependencies;
  for (const value of [
    { anew: true, format },
    { ...((await catalog.get('meta', 'admin', never))?.value as object), format },
  ]) {
    await putRaw(catalog, { collection: 'meta', id: 'admin', value });
    await harness.restart();
    expect(await harness.api.call('GET', `${sources}/shop/sinks/a`)).toMatchObject({ sinkId: 'a' });
    expect(await harness.api.request('PUT', `${sources}/shop/sinks/b/disable`)).toMatchObject({ status: 503 });
    expect((await catalog.get('meta', 'admin', never))?.value).toEqual(value);
  }
});

test('U2: no incarnation is discarded whose progress cannot be read', async () => {
  await using harness = await startShop();
  const { catalog, sinkLog } = harness.dependencies;
  await putRaw(catalog, { collection: 'progress', id: incarnation, value: { anew: true, format } });
  await harness.restart();
  expect(await sinkLog.listTopics('sink.', never)).toHaveLength(2);
  // The sweep passed it over: had it tried, it would have failed, and this process would only read.
  await harness.api.task('PUT', `${sources}/shop/sinks/b/disable`);
});

test('U2: what a process left is put right but for what a newer release wrote', async () => {
  await using harness = await startShop();
  const { catalog } = harness.dependencies;
  for (const id of ['000000000000002', '000000000000003']) {
    const progress = (await catalog.get('progress', id, never))?.value as { readonly entries: object };
    const mark = id === incarnation ? { format } : {};
    await putRaw(catalog, { collection: 'progress', id, value: { ...progress, open: false, deleted: true, ...mark } });
  }
  const task = { taskId: 't', type: 'api.create.sink', branchId: 1, sourceId: 'shop', createdAt: 'x', owner: 'x' };
  for (const [id, mark] of [
    ['newer', { format }],
    ['old', {}],
  ] as const)
    await putRaw(catalog, {
      collection: 'task',
      id,
      value: { ...task, taskId: id, createdAt: new Date(0).toISOString(), status: 'processing', ...mark },
    });
  await putRaw(catalog, {
    collection: 'sink',
    id: `${branch}/shop/a`,
    value: { ...((await catalog.get('sink', `${branch}/shop/a`, never))?.value as object), format },
  });
  await harness.restart();
  const status = async (collection: Collection, id: string): Promise<unknown> =>
    (await catalog.get(collection, id, never))?.value;
  expect(await status('task', 'newer')).toMatchObject({ status: 'processing', format });
  expect(await status('task', 'old')).toMatchObject({ status: 'error' });
  expect(await status('sink', `${branch}/shop/a`)).not.toHaveProperty('deleted');
  expect(await status('sink', `${branch}/shop/b`)).toHaveProperty('deleted');
});

test('U2: a sink whose progress only a newer release may write is left to that one, and says so', async () => {
  await using world = await DeliveryWorld.open();
  const [newer, other] = [await world.addSink('newer'), await world.addSink('other')];
  const id = progressId(newer.incarnation);
  const member = world.member('main', { roles: ['map', 'stage', 'import', 'collect'] });
  await member.start();
  await world.produce(10);
  await Promise.all([world.delivered(newer), world.delivered(other)]);
  /** What is in the topic of the sink; one event after the document is another, whoever has not seen that. */
  const outcomes = async (): Promise<unknown> => world.ports.sinkLog.ranges(newer.topic, never);
  const others = async (count: number): Promise<void> => {
    await world.produce(count);
    await world.delivered(other);
  };
  for (const isRead of [true, false]) {
    const known = await world.progress(newer);
    const value = { ...(isRead ? known : { anew: true }), format };
    await world.put('progress', id, value);
    await others(1);
    const before = await outcomes();
    await others(10);
    expect(await outcomes()).toEqual(before);
    expect((await world.ports.catalog.get('progress', id, never))?.value).toEqual(value);
    if (isRead) await world.until(async () => (await world.statuses()).includes('map: catalog.newerDocument'), 1000);
    await world.put('progress', id, known);
    await world.delivered(newer);
  }
  expect(await world.rows(newer)).toEqual(await world.rows(other));
});
