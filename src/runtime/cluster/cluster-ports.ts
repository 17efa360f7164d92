import { openSchemaRegistry } from '../../adapters/schema-registry/schema-registry.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { Ports } from '../composition/ports.ts';
import type { Logs, Opening } from '../stores/store-row.ts';
import { storesOf } from '../stores/stores.ts';

export interface ClusterPorts extends Ports, Pick<Logs, 'maxSinkAppendBytes'> {}

/** Opens the ports of a thread on the servers of a topology; closes what is open already, in reverse, when one cannot be opened. */
export async function openClusterPorts(
  topology: ClusterTopology,
  opening: Opening,
  stack: AsyncDisposableStack,
): Promise<ClusterPorts> {
  const { schemaRegistry } = topology;
  const stores = storesOf(topology);
  const catalog = stack.use(await stores.catalog.open(opening));
  const { sourceLog, sinkLog, maxSinkAppendBytes } = await stores.log.open(opening);
  return {
    catalog,
    sourceLog: stack.use(sourceLog),
    sinkLog: stack.use(sinkLog),
    maxSinkAppendBytes,
    objects: stack.use(await stores.staging.open(opening)),
    ...(schemaRegistry && { schemaRegistry: stack.use(openSchemaRegistry(schemaRegistry)) }),
  };
}
