import type { AppendObserver } from '../../telemetry/observe-appends.ts';
import { openKafkaEventLog } from '../../adapters/kafka/event-log.ts';
import { openMongodbCatalog } from '../../adapters/mongodb/catalog.ts';
import { openPostgresCatalog } from '../../adapters/postgres/catalog.ts';
import { openS3ObjectStore } from '../../adapters/s3/object-store.ts';
import { openSchemaRegistry } from '../../adapters/schema-registry/schema-registry.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { Ports } from '../composition/ports.ts';
import {
  mongodbCatalogOptions,
  postgresCatalogOptions,
  sinkLogOptions,
  sourceLogOptions,
  stagingOptions,
} from './adapter-options.ts';
import { ofServer } from './of-server.ts';

export interface OpenClusterOptions extends Waiting {
  /** Name of this process or thread for people who look at the servers. */
  readonly clientId: string;
  /** Is told of partitions of the logs that take no appends. */
  readonly appends?: AppendObserver;
}

/** Opens the ports of a thread on the servers of a topology; closes what is open already, in reverse, when one cannot be opened. */
export async function openClusterPorts(
  { log, staging, catalog, schemaRegistry }: ClusterTopology,
  { clientId, appends, signal }: OpenClusterOptions,
  stack: AsyncDisposableStack,
): Promise<Ports> {
  const observed = appends === undefined ? {} : { observer: appends };
  return {
    catalog: stack.use(await ofServer(`catalog (${catalog.kind})`, openCatalog(catalog, { clientId, signal }))),
    sourceLog: stack.use(openKafkaEventLog({ ...sourceLogOptions(log, clientId), ...observed })),
    sinkLog: stack.use(openKafkaEventLog({ ...sinkLogOptions(log, clientId), ...observed })),
    objects: stack.use(await ofServer(`staging (${staging.kind})`, openS3ObjectStore(stagingOptions(staging)))),
    ...(schemaRegistry && { schemaRegistry: stack.use(openSchemaRegistry(schemaRegistry)) }),
  };
}

function openCatalog(catalog: ClusterTopology['catalog'], { clientId, signal }: OpenClusterOptions): Promise<Catalog> {
  switch (catalog.kind) {
    case 'mongodb':
      return openMongodbCatalog(mongodbCatalogOptions(catalog, clientId), { signal });
    case 'postgres':
      return openPostgresCatalog(postgresCatalogOptions(catalog, clientId), { signal });
    default:
      return catalog satisfies never;
  }
}
