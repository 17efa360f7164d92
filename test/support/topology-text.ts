import type { S3ForTests } from './s3.ts';

export interface TopologyChoices {
  readonly sessionTimeoutMs?: number;
  /** Default: one replica. */
  readonly topics?: { readonly replication: number; readonly minInSyncReplicas: number };
  /** Of the objects in staging. */
  readonly prefix?: string;
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
  { sessionTimeoutMs = 10_000, topics, prefix = stagingPrefix(), schemaRegistryUrl }: TopologyChoices = {},
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
    catalog: { kind: 'postgres', url: { env: 'CATALOG_URL' } },
    tables: { kind: 'postgres', url: { env: 'TABLES_URL' } },
    ...(schemaRegistryUrl === undefined ? {} : { schemaRegistry: { url: schemaRegistryUrl } }),
  });
}
