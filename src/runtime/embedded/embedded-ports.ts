import { openFileSystemObjectStore } from '../../adapters/filesystem/object-store.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../adapters/lmdb/event-log.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import { systemClock } from '../system-clock.ts';
import type { DataFolder } from './data-folder.ts';

/** What every thread of an embedded process opens for itself on the data folder. */
export interface EmbeddedPorts {
  readonly catalog: Catalog;
  readonly sourceLog: EventLog;
  readonly sinkLog: EventLog;
  readonly objects: ObjectStore;
}

export interface OpenPortsOptions {
  /** Stable name of the thread. */
  readonly instance: string;
  /** True in the thread that opens the folder first: it removes what an earlier process left behind. */
  readonly first: boolean;
}

/** Opens the ports; closes what is open already, in reverse, when one of them cannot be opened. */
export async function openEmbeddedPorts(
  folder: DataFolder,
  options: OpenPortsOptions,
  stack: AsyncDisposableStack,
): Promise<EmbeddedPorts> {
  const catalog = stack.use(await openLmdbCatalog({ path: folder.catalog }));
  const sourceLog = stack.use(await openLmdbEventLog({ path: folder.sourceLog, clock: systemClock, ...options }));
  const sinkLog = stack.use(await openLmdbEventLog({ path: folder.sinkLog, clock: systemClock, ...options }));
  const objects = stack.use(
    await openFileSystemObjectStore({ folder: folder.staging, removeLeftovers: options.first }),
  );
  return { catalog, sourceLog, sinkLog, objects };
}
