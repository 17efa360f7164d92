import { stat } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { progressId, sinkDocumentId } from '../../src/documents/document-id.ts';
import { DocumentKind } from '../../src/documents/document-kind.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import type { Ports } from '../support/faults/faults.ts';
import { DeliveryWorld, never, type WorldSink } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import { replaced } from '../support/faults/replaced.ts';

/** The stores with staging as a bucket is: what is put there is best compressed. */
const compressing = ({ objects }: Ports): Partial<Ports> => ({ objects: replaced(objects, { compression: 'gzip' }) });

async function document(world: DeliveryWorld, { incarnation }: WorldSink): Promise<object> {
  return (await world.ports.catalog.get('progress', progressId(incarnation), never))?.value ?? {};
}

it('D2, U2: slices of an older release and compressed ones are imported together, and a sink that has one is left alone by older releases', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const older = world.member('older', { roles: ['map', 'stage'] });
  await older.start();
  await world.produce(300, { brokenEvery: 3 });
  await world.until(async () => (await world.progress(sink)).staged.length === 1, 1000);
  await world.drain(older);
  const format1 = new DocumentKind({ collection: 'progress', schema: progressDocuments.schema });
  const before = await document(world, sink);
  expect(before).not.toHaveProperty('format');
  format1.requireWritable(before);

  const newer = world.member('newer', { roles: ['map', 'stage'], ports: compressing(world.ports) });
  await newer.start();
  await world.produce(300, { brokenEvery: 3 });
  await world.until(async () => (await world.progress(sink)).staged.length === 2, 1000);
  const after = await document(world, sink);
  expect(after).toMatchObject({ format: { version: 2, oldestWriter: 2 } });
  expect(() => format1.requireWritable(after)).toThrow(expect.objectContaining({ code: 'catalog.newerDocument' }));
  const [plain, zipped] = (await world.progress(sink)).staged;
  expect(plain?.rowsObject).not.toHaveProperty('compressed');
  for (const object of [zipped?.rowsObject, zipped?.deadObject]) {
    const path = (await world.ports.objects.localPath(object?.name ?? '', never)) ?? '';
    expect(object?.compressed).toEqual({ as: 'gzip', bytes: (await stat(path)).size });
    expect(object?.compressed?.bytes).toBeLessThan((object?.bytes ?? 0) / 2);
  }

  await world.member('importing', { roles: ['import'] }).start();
  await world.delivered(sink);
  await expectDelivered(world, sink);
  const { imported, lastImport } = await world.progress(sink);
  const [bytes, stored] = [plain, zipped].reduce(
    ([all, less], slice) => [
      all + (slice?.rowsObject?.bytes ?? 0),
      less + (slice?.rowsObject?.compressed?.bytes ?? slice?.rowsObject?.bytes ?? 0),
    ],
    [0, 0],
  );
  expect(imported).toMatchObject({ bytes, storedBytes: stored });
  expect(lastImport).toMatchObject({ rowBytes: bytes, storedRowBytes: stored });
});

it('a sink whose setting says so is staged as it is, whatever is best for the store', async () => {
  await using world = await DeliveryWorld.open();
  const { key, incarnation, tableId, ...sink } = await world.addSink();
  const by = { at: new Date(world.clock.now()).toISOString(), by: { type: 'system' } };
  await world.put('sink', sinkDocumentId(key), {
    ...key,
    incarnation,
    type: 'table',
    name: 'orders',
    description: '',
    allowedSignals: [],
    mappingVersion: 1,
    table: { type: 'keboola', tableId, columns: [{ type: 'path', name: 'at', path: 'at' }] },
    settings: { 'storage.level.local.encoding.compression.type': 'none' },
    version: { number: 1, hash: 'x', description: '', ...by },
    created: by,
  });
  const member = world.member('main', { roles: ['map', 'stage'], ports: compressing(world.ports) });
  await member.start();
  await world.produce(300);
  const staged = async () => (await world.progress({ key, incarnation, tableId, ...sink })).staged;
  await world.until(async () => (await staged()).length === 1, 1000);
  expect((await staged())[0]?.rowsObject).not.toHaveProperty('compressed');
});
