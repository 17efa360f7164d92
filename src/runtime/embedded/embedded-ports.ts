import { openFileSystemObjectStore } from '../../adapters/filesystem/object-store.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../adapters/lmdb/event-log.ts';
import type { MillraceError } from '../../core/millrace-error.ts';
import { isOpened, unopened, type PortChoice } from '../composition/opened-ports.ts';
import type { Ports } from '../composition/ports.ts';
import { systemClock } from '../system-clock.ts';
import type { DataFolder } from './data-folder.ts';

export interface OpenPortsOptions extends PortChoice {
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
  const openLog = (path: string, hasManySenders: boolean) =>
    openLmdbEventLog({ path, hasManySenders, clock: systemClock, ...options });
  const openObjects = () => openFileSystemObjectStore({ folder: folder.staging, removeLeftovers: options.first });
  return {
    catalog: stack.use(await openLmdbCatalog({ path: folder.catalog, onBroken: options.onBroken })),
    sourceLog: isOpened('sourceLog', options)
      ? stack.use(await openLog(folder.sourceLog, true))
      : unopened('sourceLog'),
    sinkLog: isOpened('sinkLog', options) ? stack.use(await openLog(folder.sinkLog, false)) : unopened('sinkLog'),
    objects: isOpened('objects', options) ? stack.use(await openObjects()) : unopened('objects'),
  };
}
