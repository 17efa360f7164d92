import { expect, it } from 'vitest';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { ownAllBut, ownEverything } from '../../../test/support/own-everything.ts';
import { crc32Checksum } from '../../core/checksum.ts';
import { fileObject } from '../../core/files/file-object.ts';
import type { StoredFile } from '../../core/files/stored-file.ts';
import { limits } from '../../core/limits.ts';
import { fileDocumentId } from '../../documents/document-id.ts';
import { FileCollector } from './file-collector.ts';

interface Wanted {
  readonly fileId: string;
  readonly isUploaded?: boolean;
  readonly expiresInMs?: number;
}

/** A file of now, with its object where it is uploaded; answers the name of that. */
async function put(world: DeliveryWorld, { fileId, isUploaded = true, expiresInMs }: Wanted): Promise<string> {
  const now = world.clock.now();
  const at = new Date(now).toISOString();
  const object = await putObject(world, fileId);
  const file: StoredFile = {
    fileId,
    name: 'a.csv',
    tags: [],
    created: { at, by: { type: 'system' } },
    ...(expiresInMs !== undefined && { expiresAt: new Date(now + expiresInMs).toISOString() }),
    ...(isUploaded && { content: { object, bytes: 1, checksum: crc32Checksum(0), at } }),
  };
  await world.put('file', fileDocumentId(fileId), file);
  return object;
}

async function putObject({ ports, clock }: DeliveryWorld, fileId: string): Promise<string> {
  const object = fileObject({ fileId, stamp: clock.now(), unique: 'x' });
  await ports.objects.put(object, { kind: 'bytes', bytes: Buffer.from('x') }, never);
  return object;
}

const collectorOf = ({ ports, clock }: DeliveryWorld, ownership = ownEverything): FileCollector =>
  new FileCollector({ ...ports, ownership, clock });
const documents = async ({ ports }: DeliveryWorld): Promise<readonly string[]> =>
  (await ports.catalog.list({ collection: 'file', prefix: '' }, never)).map(({ id }) => String(Number(id)));

it('B5: removes files whose time is over with their bytes, and no others', async () => {
  await using world = await DeliveryWorld.open();
  const day = 86_400_000;
  await put(world, { fileId: '1', expiresInMs: day });
  const kept = [await put(world, { fileId: '2', expiresInMs: 2 * day }), await put(world, { fileId: '3' })];
  await world.put('file', fileDocumentId('4'), {
    fileId: '4',
    name: 'w',
    tags: [],
    created: { at: new Date(world.clock.now()).toISOString(), by: { type: 'system' } },
  });
  world.clock.advance(day - 1);
  await collectorOf(world).collect(never);
  expect(await documents(world)).toEqual(['1', '2', '3', '4']);
  world.clock.advance(1);
  await collectorOf(world, ownAllBut(new Set(['staging']))).collect(never);
  expect(await documents(world)).toHaveLength(4);
  await collectorOf(world).collect(never);
  expect(await documents(world)).toEqual(['2', '3']);
  expect((await world.objects()).toSorted()).toEqual(kept.toSorted());
});

it('B5: removes bytes that no file names once no upload can name them, and nothing that a file may name', async () => {
  await using world = await DeliveryWorld.open();
  const named = await put(world, { fileId: '1' });
  world.clock.advance(1);
  const other = await putObject(world, '1');
  const orphan = await putObject(world, '7');
  await put(world, { fileId: '9' });
  await world.put('file', fileDocumentId('9'), { not: 'a file' });
  world.clock.advance(limits.uploadLeaseMs - 1);
  await collectorOf(world).collect(never);
  expect(await world.objects()).toEqual(expect.arrayContaining([named, other, orphan]));
  world.clock.advance(1);
  await collectorOf(world).collect(never);
  const left = await world.objects();
  expect(left).toHaveLength(2);
  expect(left).toContain(named);
  expect(left.some((name) => name.startsWith('files/9/'))).toBe(true);
});
