import type { S3ForTests } from './s3.ts';

export interface TopologyChoices {
  readonly sessionTimeoutMs?: number;
  /** Default: one replica. */
  readonly topics?: { readonly replication: number; readonly minInSyncReplicas: number };
  /** Of the objects in staging. */
  readonly prefix?: string;
  /** Default: PostgreSQL. */
  readonly catalog?: 'postgres' | 'mongodb';
  /** Base of a schema registry. */
  readonly schemaRegistryUrl?: string;
}

/** One that no other cluster has. */
export function stagingPrefix(): string {
  return `cluster-${process.pid}-${Date.now()}/`;
}

/** A topology of a cluster on these servers; the environment holds CATALOG_URL, TABLES_URL, S3_ENDPOINT and S3_SECRET. */
export function topologyText(
  brokers: string,
  { bucket, region, credentials }: S3ForTests['options'],
  {
    sessionTimeoutMs = 10_000,
    topics,
    prefix = stagingPrefix(),
    catalog = 'postgres',
    schemaRegistryUrl,
  }: TopologyChoices = {},
): string {
  return JSON.stringify({
    kind: 'cluster',
    log: {
      kind: 'kafka',
      brokers: brokers.split(','),
      sessionTimeout: `${sessionTimeoutMs}ms`,
      topics: topics ?? { replication: 1 },
    },
    staging: {
      kind: 's3',
      bucket,
      prefix,
      endpoint: { env: 'S3_ENDPOINT' },
      pathStyle: true,
      ...(region === undefined ? {} : { region }),
      credentials: { accessKeyId: credentials?.accessKeyId, secretAccessKey: { env: 'S3_SECRET' } },
    },
    catalog: {
      kind: catalog,
      url: { env: 'CATALOG_URL' },
      // A server that was given is that of other suites, too.
      ...(catalog === 'mongodb' ? { database: `cluster-${process.pid}-${Date.now()}` } : {}),
    },
    tables: { kind: 'postgres', url: { env: 'TABLES_URL' } },
    ...(schemaRegistryUrl === undefined ? {} : { schemaRegistry: { url: schemaRegistryUrl } }),
  });
}
