import { readdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { ObjectContent } from '../../src/ports/object-store.ts';
import { DeliveryWorld, never } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import { replaced } from '../support/faults/replaced.ts';

/** One digit of a cell is another one, and everything still is a proper CSV. */
function altered(bytes: Uint8Array): Buffer {
  const text = Buffer.from(bytes).toString();
  return Buffer.from(text.replace('"0/1"', '"0/7"'));
}

async function bytesOf(content: ObjectContent): Promise<Uint8Array> {
  return content.kind === 'bytes' ? content.bytes : readFile(content.path);
}

it('D2: a slice that is altered in its upload is loaded by nobody, and its sink says so', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const { objects } = world.ports;
  const put: typeof objects.put = async (name, content, options) =>
    objects.put(name, { kind: 'bytes', bytes: altered(await bytesOf(content)) }, options);
  const member = world.member('one', { ports: { objects: replaced(objects, { put }) } });
  await member.start();
  await world.produce(5);
  await world.until(async () => (await world.statuses()).includes('import: objects.corrupt'), 1000);
  await world.pass(600_000, 5000);
  expect(await world.rows(sink)).toEqual([]);
});

it('D4: how long a slice fails is counted while the importer runs, also between two tries that lie far apart', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const staging = world.member('staging', { roles: ['map', 'stage'] });
  await staging.start();
  await world.produce(5);
  await world.until(async () => (await world.progress(sink)).staged.length > 0, 1000);
  const [name = ''] = await world.objects();
  await truncate((await world.ports.objects.localPath(name, never)) ?? '', 7);
  await world.member('importing', { roles: ['import'] }).start();
  const provenMs = async (): Promise<number> => (await world.progress(sink)).parked[0]?.failing?.provenMs ?? 0;
  const lastTriesApartMs = 200_000;
  await world.until(async () => (await provenMs()) > lastTriesApartMs, 5000);
});

it('D2: a local file that is altered before its upload is staged again from the log, and nothing is parked', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const mapping = world.member('mapping', { roles: ['map'] });
  await mapping.start();
  // So many dead letters are too large for a small buffer: without a block of memory they go to a file of the folder of local files.
  await world.produce(4000, { brokenEvery: 2 });
  const { sinkLog } = world.ports;
  await world.until(async () => (await sinkLog.ranges(sink.topic, never))[0]?.durableEnd === 4000);
  const member = world.member('main', { roles: ['stage', 'import'], lineBlocks: 0 });
  member.faults.add({ port: 'objects', method: 'put', kind: 'held', when: ([, content]) => isFile(content) });
  await member.start();
  await world.until(() => member.faults.struck === 1);
  const folder = join(world.folder, 'local');
  const [name = ''] = await readdir(folder);
  await writeFile(join(folder, name), '7', { flag: 'r+' });
  await member.faults.deliver();
  await world.until(async () => (await world.statuses()).includes('stage: stage.altered'));
  await world.delivered(sink);
  await expectDelivered(world, sink);
  expect(member.told.alarms.map(({ code }) => code)).toEqual(['stage.altered']);
});

function isFile(content: unknown): boolean {
  return typeof content === 'object' && content !== null && 'kind' in content && content.kind === 'file';
}

it('D2, D6: a slice that is altered in staging waits, and is loaded once its object is whole again', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const staging = world.member('staging', { roles: ['map', 'stage'] });
  await staging.start();
  await world.produce(5);
  await world.until(async () => (await world.progress(sink)).staged.length > 0, 1000);
  const [slice] = (await world.progress(sink)).staged;
  expect(slice?.rowsObject?.checksum).toMatch(/^crc32:[0-9a-f]{8}$/);
  const path = (await world.ports.objects.localPath(slice?.rowsObject?.name ?? '', never)) ?? '';
  const whole = await readFile(path);
  await writeFile(path, altered(whole));
  const importing = world.member('importing', { roles: ['import'] });
  await importing.start();
  await world.until(async () => (await world.statuses()).includes('import: objects.corrupt'), 1000);
  expect(await world.rows(sink)).toEqual([]);
  await truncate(path, 7);
  await world.pass(120_000, 5000);
  expect(await world.statuses()).toContain('import: objects.corrupt');
  await writeFile(path, whole);
  await world.delivered(sink);
  await expectDelivered(world, sink);
});

it('D2: a slice of an earlier version of the product, which has no checksum, is loaded', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const staging = world.member('staging', { roles: ['map', 'stage'] });
  await staging.start();
  await world.produce(5, { brokenEvery: 3 });
  await world.until(async () => (await world.progress(sink)).staged.length > 0, 1000);
  await world.change(sink, (progress) => ({
    ...progress,
    staged: progress.staged.map(({ rowsObject, deadObject, ...slice }) => ({
      ...slice,
      ...(rowsObject && { rowsObject: { name: rowsObject.name, bytes: rowsObject.bytes } }),
      ...(deadObject && { deadObject: { name: deadObject.name, bytes: deadObject.bytes } }),
    })),
  }));
  const importing = world.member('importing', { roles: ['import'] });
  await importing.start();
  await world.delivered(sink);
  await expectDelivered(world, sink);
});
