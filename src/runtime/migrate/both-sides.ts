import type { DuckDbTables } from '../../adapters/duckdb/table-store.ts';
import type { Config } from '../../config/config.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Claimable } from '../../ports/claimable.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { StagingMark } from '../../stages/claims/staging-mark.ts';
import { openClusterPorts } from '../cluster/cluster-ports.ts';
import type { Ports } from '../composition/ports.ts';
import { dataFolder, hasData, occupyDataFolder, prepareDataFolder, type DataFolder } from '../embedded/data-folder.ts';
import { openEmbeddedPorts } from '../embedded/embedded-ports.ts';
import { openTables } from '../embedded/open-tables.ts';
import { storesOf } from '../stores/stores.ts';

/** What one process has, held by its lock. */
export interface OneProcess extends Ports {
  readonly folder: DataFolder;
  readonly tables: DuckDbTables;
}

/** Where it goes. */
export interface WholeCluster extends Ports {
  readonly tables: TableStore;
}

/** Opens the data folder of a process that does not run. `data.locked` while one does; `migration.refused` where there is none. */
export async function openProcess(
  config: Pick<Config, 'dataDir' | 'tables'>,
  stack: AsyncDisposableStack,
): Promise<OneProcess> {
  const folder = dataFolder(config.dataDir);
  if (!hasData(folder))
    throw new MillraceError(
      'migration.refused',
      `"${folder.path}" is no data folder: give the one of the process with --data-dir`,
    );
  prepareDataFolder(folder);
  const tables = stack.use(await openTables(folder, config.tables));
  occupyDataFolder(folder);
  const opened = { instance: 'migrate', first: true, onBroken: () => undefined };
  return { ...(await openEmbeddedPorts(folder, opened, stack)), folder, tables };
}

/** Opens the servers of a topology; `tempDir` is for files that outlive nothing. */
export async function openCluster(
  topology: ClusterTopology,
  { tempDir, signal }: Waiting & { readonly tempDir: string },
  stack: AsyncDisposableStack,
): Promise<WholeCluster> {
  const opening = { clientId: 'millrace-migrate', tempDir, signal };
  const ports = await openClusterPorts(topology, opening, stack);
  const { store } = await storesOf(topology).tables.open(opening);
  return { ...ports, tables: stack.use(store) };
}

/** The marks of the servers; both logs are the same one. */
export function marksOf({ objects, sourceLog, tables }: WholeCluster): Readonly<Record<string, Claimable>> {
  return { staging: new StagingMark(objects), log: sourceLog, tables };
}

/** Where a cluster is, in words, as far as its servers can tell. */
export async function placeOf(cluster: WholeCluster, options: Waiting): Promise<string> {
  const places = await Promise.all(Object.values(marksOf(cluster)).map((mark) => mark.location(options)));
  return places.map((place) => place ?? 'a store without a name').join(', ');
}
