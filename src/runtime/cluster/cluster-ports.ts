import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { SchemaRegistry } from '../../ports/schema-registry.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { isOpened, unopened, type PortChoice } from '../composition/opened-ports.ts';
import type { Ports } from '../composition/ports.ts';
import type { Logs, Opening } from '../stores/store-row.ts';
import { storesOf } from '../stores/stores.ts';
import { LateCatalog } from './late-catalog.ts';

export interface ClusterPorts extends Ports, Pick<Logs, 'maxSinkAppendBytes'> {}

export interface ClusterOpening extends Opening, PortChoice {
  /** True: the catalog is opened at its first use, and may be away until then. */
  readonly isCatalogLate?: boolean;
}

/** Opens the ports of a thread on the servers of a topology; closes what is open already, in reverse, when one cannot be opened. */
export async function openClusterPorts(
  topology: ClusterTopology,
  { isCatalogLate = false, only, ...opening }: ClusterOpening,
  stack: AsyncDisposableStack,
): Promise<ClusterPorts> {
  const { schemaRegistry } = topology;
  const stores = storesOf(topology);
  const openCatalog = (waiting: Waiting) => stores.catalog.open({ ...opening, ...waiting });
  const catalog = stack.use(isCatalogLate ? new LateCatalog(openCatalog) : await openCatalog(opening));
  const { sourceLog, sinkLog, maxSinkAppendBytes } = await stores.log.open(opening);
  return {
    catalog,
    sourceLog: stack.use(sourceLog),
    sinkLog: stack.use(sinkLog),
    maxSinkAppendBytes,
    objects: isOpened('objects', { only }) ? stack.use(await stores.staging.open(opening)) : unopened('objects'),
    ...(schemaRegistry !== undefined && isOpened('schemaRegistry', { only })
      ? { schemaRegistry: stack.use(await openRegistry(schemaRegistry)) }
      : {}),
  };
}

/** Loaded where schemas are looked for, and only where there is a registry. */
async function openRegistry(registry: NonNullable<ClusterTopology['schemaRegistry']>): Promise<SchemaRegistry> {
  const { openSchemaRegistry } = await import('../../adapters/schema-registry/schema-registry.ts');
  return openSchemaRegistry(registry);
}
