import { MillraceError } from '../../core/millrace-error.ts';
import type { ObjectStore, StoredObject } from '../../ports/object-store.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { inLanes } from './in-lanes.ts';

export interface ObjectsMove extends Waiting {
  readonly from: ObjectStore;
  readonly to: ObjectStore;
  readonly onBytes: (bytes: number) => void;
}

async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

/** Copies objects under their names. One that is there was put before, whole: a name is never used twice. */
export async function moveObjects(objects: readonly StoredObject[], move: ObjectsMove): Promise<void> {
  const present = new Map<string, number>();
  for await (const { name, bytes } of move.to.list('', move)) present.set(name, bytes);
  await inLanes(each(objects), async (object) => {
    if (present.get(object.name) !== object.bytes) await moveObject(object, move);
    move.onBytes(object.bytes);
  });
}

async function moveObject({ name, bytes }: StoredObject, { from, to, ...waiting }: ObjectsMove): Promise<void> {
  const path = await from.localPath(name, waiting);
  if (path === undefined) throw new MillraceError('internal.bug', 'objects of one process are files');
  const put = await to.put(name, { kind: 'file', path }, waiting);
  if (put.bytes === bytes) return;
  throw new MillraceError('migration.failed', `the object "${name}" has ${put.bytes} bytes, expected ${bytes}`);
}
