import { openPostgresTableStore } from '../../adapters/postgres/table-store.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { OpenClusterOptions } from './cluster-ports.ts';

/** Opens the tables of a topology; `tempDir` is a folder for exports. */
export function openClusterTables(
  tables: ClusterTopology['tables'],
  { clientId, tempDir, signal }: OpenClusterOptions & { readonly tempDir: string },
): Promise<TableStore> {
  return openPostgresTableStore({ ...tables, applicationName: clientId, tempDir }, { signal });
}
