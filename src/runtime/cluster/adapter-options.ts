import type { KafkaEventLogOptions } from '../../adapters/kafka/config.ts';
import type { MongodbCatalogOptions } from '../../adapters/mongodb/catalog.ts';
import type { PostgresCatalogOptions } from '../../adapters/postgres/catalog.ts';
import type { PostgresTableOptions } from '../../adapters/postgres/table-config.ts';
import type { S3ObjectStoreOptions } from '../../adapters/s3/config.ts';
import type {
  KafkaLog,
  MongodbCatalog,
  PostgresCatalog,
  PostgresTables,
  S3Staging,
} from '../../config/topology/topology.ts';
import { tlsOptions } from './tls-options.ts';

// What a topology says, in the words of each adapter. `clientId` names the process for people who look at the servers.

export function kafkaOptions(
  { brokers, tls, sasl, sessionTimeoutMs }: Omit<KafkaLog, 'topics'>,
  clientId: string,
): KafkaEventLogOptions {
  return {
    brokers,
    clientId,
    sessionTimeoutMs,
    ...(tls === undefined ? {} : { tls: tlsOptions(tls) }),
    ...(sasl === undefined ? {} : { sasl: { ...sasl, password: sasl.password.reveal() } }),
  };
}

/** New topics of sources are kept as the topology says. */
export function sourceLogOptions(log: KafkaLog, clientId: string): KafkaEventLogOptions {
  return { ...kafkaOptions(log, clientId), topics: log.topics };
}

/** Topics of sinks are trimmed by the product and by nobody else; a dead letter holds its event in base64, with reason and headers. */
export function sinkLogOptions(log: KafkaLog, clientId: string): KafkaEventLogOptions {
  const { replication, minInSyncReplicas } = log.topics;
  return {
    ...kafkaOptions(log, clientId),
    topics: { replication, minInSyncReplicas, maxAppendBytes: maxSinkAppendBytes(log) },
  };
}

/** The most bytes that one append to a new topic of a sink takes. */
export function maxSinkAppendBytes({ topics }: KafkaLog): number {
  return 2 * topics.maxAppendBytes;
}

export function stagingOptions(staging: S3Staging): S3ObjectStoreOptions {
  const { bucket, prefix, region, endpoint, pathStyle, caFile, credentials } = staging;
  return {
    bucket,
    keyPrefix: prefix,
    region,
    ...(pathStyle === undefined ? {} : { pathStyle }),
    ...(endpoint === undefined ? {} : { endpoint }),
    ...(caFile === undefined ? {} : { caFile }),
    ...(credentials === undefined ? {} : { credentials }),
  };
}

export function mongodbCatalogOptions(catalog: MongodbCatalog, clientId: string): MongodbCatalogOptions {
  return { ...catalog, applicationName: clientId };
}

export function postgresCatalogOptions(catalog: PostgresCatalog, clientId: string): PostgresCatalogOptions {
  return { ...catalog, applicationName: clientId };
}

/** `tempDir` is a folder for exports. */
export function tableOptions(
  tables: PostgresTables,
  { clientId, tempDir }: { readonly clientId: string; readonly tempDir: string },
): PostgresTableOptions {
  return { ...tables, applicationName: clientId, tempDir };
}
