import type { AdminHarness } from '../../support/admin-harness.ts';
import type { CatalogWrite } from '../../../src/ports/catalog.ts';
import type { Fuse } from '../../support/fuse.ts';
import type { SinkState } from './sink-operations.ts';
import { sinkColumns } from './sink-operations.ts';
import type { SourceState } from './source-operations.ts';

/** One installation in which objects are brought into states; an object that is held by a task is let go at the end. */
export interface World {
  readonly harness: AdminHarness;
  readonly fuse: Fuse;
}

/** An object in a state. */
export interface Placed {
  readonly id: string;
  /** Path of the object, and of the collection it belongs to. */
  readonly path: string;
  readonly collection: string;
  /** Lets go of what holds it. */
  release(): Promise<void>;
}

const free = async (): Promise<void> => {};

export async function placeSource(
  { harness: { api }, fuse }: World,
  { branch, state, id }: { readonly branch: number; readonly state: SourceState; readonly id: string },
): Promise<Placed> {
  const collection = `/v1/branches/${branch}/sources`;
  const path = `${collection}/${id}`;
  const placed = { id, path, collection, release: free };
  if (state === 'absent') return placed;
  await api.task('POST', collection, { type: 'http', name: id, sourceId: id });
  switch (state) {
    case 'active':
      return placed;
    case 'disabled':
      await api.task('PUT', `${path}/disable`);
      return placed;
    case 'deleted':
      await api.task('DELETE', path);
      return placed;
    case 'task running':
      return { ...placed, release: await hold({ fuse }, () => api.task('PATCH', path, { name: 'held' })) };
    default:
      return state satisfies never;
  }
}

export async function placeSink(
  { harness, fuse }: World,
  { branch, state, id }: { readonly branch: number; readonly state: SinkState; readonly id: string },
): Promise<Placed> {
  const { api } = harness;
  const source = `/v1/branches/${branch}/sources/of-${id}`;
  const collection = `${source}/sinks`;
  const path = `${collection}/${id}`;
  const placed = { id, path, collection, release: free };
  await api.task('POST', `/v1/branches/${branch}/sources`, { type: 'http', name: `of-${id}`, sourceId: `of-${id}` });
  if (state === 'absent' || state === 'absent, source disabled') {
    if (state !== 'absent') await api.task('PUT', `${source}/disable`);
    return placed;
  }
  const table = { tableId: `in.c-states.${id}`, mapping: { columns: sinkColumns } };
  await api.task('POST', collection, { name: id, sinkId: id, table });
  switch (state) {
    case 'active':
      return placed;
    case 'disabled':
      await api.task('PUT', `${path}/disable`);
      return placed;
    case 'auto-disabled':
      await api.task('PUT', `${source}/disable`);
      return placed;
    case 'disabled, source disabled':
      await api.task('PUT', `${path}/disable`);
      await api.task('PUT', `${source}/disable`);
      return placed;
    case 'deleted':
      await api.task('DELETE', path);
      return placed;
    case 'source deleted':
      await api.task('DELETE', source);
      return placed;
    case 'task running':
      return { ...placed, release: await hold({ fuse }, () => api.task('PATCH', path, { name: 'held' })) };
    case 'task of the source running':
      return { ...placed, release: await hold({ fuse }, () => api.task('PUT', `${source}/disable`)) };
    default:
      return state satisfies never;
  }
}

/** Begins a task and stops it at its first write of a source or a sink; what others write meanwhile passes. */
async function hold({ fuse }: Pick<World, 'fuse'>, begin: () => Promise<unknown>): Promise<() => Promise<void>> {
  const isDefinition = ([write]: readonly unknown[]): boolean =>
    ['source', 'sink'].includes((write as Partial<CatalogWrite>).collection ?? '');
  fuse.burnAfter(0, 'pause', isDefinition);
  const held = begin();
  if (!(await fuse.burntOrQuiet(held, () => Promise.resolve(true)))) throw new Error('the task did not wait');
  return async () => {
    fuse.release();
    await held;
  };
}
