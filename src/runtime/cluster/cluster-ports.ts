import { openKafkaEventLog } from '../../adapters/kafka/event-log.ts';
import type { KafkaEventLogOptions, KafkaTopicPolicy } from '../../adapters/kafka/config.ts';
import { openMongodbCatalog } from '../../adapters/mongodb/catalog.ts';
import { openPostgresCatalog } from '../../adapters/postgres/catalog.ts';
import { openS3ObjectStore } from '../../adapters/s3/object-store.ts';
import type { ClusterTopology, KafkaLog } from '../../config/topology/topology.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { ObjectStore } from '../../ports/object-store.ts';
import type { Ports } from '../composition/ports.ts';
import { tlsOptions } from './tls-options.ts';

export interface OpenClusterOptions extends Waiting {
  /** Name of this process or thread for people who look at the servers. */
  readonly clientId: string;
}

/** Opens the ports of a thread on the servers of a topology; closes what is open already, in reverse, when one cannot be opened. */
export async function openClusterPorts(
  { log, staging, catalog }: ClusterTopology,
  options: OpenClusterOptions,
  stack: AsyncDisposableStack,
): Promise<Ports> {
  const sourceLog = stack.use(openKafkaEventLog({ ...kafkaOptions(log, options), topics: sourceTopics(log) }));
  const sinkLog = stack.use(openKafkaEventLog({ ...kafkaOptions(log, options), topics: sinkTopics(log) }));
  return {
    catalog: stack.use(await openCatalog(catalog, options)),
    sourceLog,
    sinkLog,
    objects: stack.use(await openStaging(staging)),
  };
}

/** How the log's own options are said to the driver. */
export function kafkaOptions(
  { brokers, tls, sasl, sessionTimeoutMs }: KafkaLog,
  { clientId }: Pick<OpenClusterOptions, 'clientId'>,
): KafkaEventLogOptions {
  return {
    brokers,
    clientId,
    sessionTimeoutMs,
    ...(tls === undefined ? {} : { tls: tlsOptions(tls) }),
    ...(sasl === undefined ? {} : { sasl: { ...sasl, password: sasl.password.reveal() } }),
  };
}

function sourceTopics({ topics }: KafkaLog): KafkaTopicPolicy {
  return topics;
}

/** Stage trims what it has sealed; until then nothing may go. A dead letter holds its event in base64, with its reason and headers. */
function sinkTopics({ topics: { replication, minInSyncReplicas, maxAppendBytes } }: KafkaLog): KafkaTopicPolicy {
  return { replication, minInSyncReplicas, maxAppendBytes: 2 * maxAppendBytes };
}

function openCatalog(catalog: ClusterTopology['catalog'], { clientId, signal }: OpenClusterOptions): Promise<Catalog> {
  switch (catalog.kind) {
    case 'mongodb':
      return openMongodbCatalog({ ...catalog, applicationName: clientId }, { signal });
    case 'postgres':
      return openPostgresCatalog({ ...catalog, applicationName: clientId }, { signal });
    default:
      return catalog satisfies never;
  }
}

function openStaging({
  bucket,
  prefix,
  region,
  endpoint,
  pathStyle,
  caFile,
  credentials,
}: ClusterTopology['staging']): Promise<ObjectStore> {
  return openS3ObjectStore({
    bucket,
    keyPrefix: prefix,
    region,
    ...(pathStyle === undefined ? {} : { pathStyle }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(caFile === undefined ? {} : { caFile }),
    ...(credentials === undefined ? {} : { credentials }),
  });
}
