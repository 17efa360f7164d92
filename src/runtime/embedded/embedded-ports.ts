import { openFileSystemObjectStore } from '../../adapters/filesystem/object-store.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../adapters/lmdb/event-log.ts';
import type { MillraceError } from '../../core/millrace-error.ts';
import type { Ports } from '../composition/ports.ts';
import { systemClock } from '../system-clock.ts';
import type { DataFolder } from './data-folder.ts';

export interface OpenPortsOptions {
  /** Stable name of the thread. */
  readonly instance: string;
  /** True in the thread that opens the folder first: it removes what an earlier process left behind. */
  readonly first: boolean;
  /** Told when a file of the log or of the catalog failed, with `data.broken`. */
  readonly onBroken: (error: MillraceError) => void;
}

/** Opens the ports of a thread on the data folder; closes what is open already, in reverse, when one of them cannot be opened. */
export async function openEmbeddedPorts(
  folder: DataFolder,
  options: OpenPortsOptions,
  stack: AsyncDisposableStack,
): Promise<Ports> {
  const catalog = stack.use(await openLmdbCatalog({ path: folder.catalog, onBroken: options.onBroken }));
  const sourceLog = stack.use(await openLmdbEventLog({ path: folder.sourceLog, clock: systemClock, ...options }));
  const sinkLog = stack.use(await openLmdbEventLog({ path: folder.sinkLog, clock: systemClock, ...options }));
  const objects = stack.use(
    await openFileSystemObjectStore({ folder: folder.staging, removeLeftovers: options.first }),
  );
  return { catalog, sourceLog, sinkLog, objects };
}
