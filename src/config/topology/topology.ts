import type { Secret } from '../secrets.ts';
import type { Role } from './role.ts';

/** Which roles run, on which adapters. Sizes are bytes, durations milliseconds, paths absolute. */
export type Topology = EmbeddedTopology | ClusterTopology;

/** Everything in one process, on its data folder. */
interface EmbeddedTopology {
  readonly kind: 'embedded';
}

/** Roles in any number of processes, on servers. */
export interface ClusterTopology {
  readonly kind: 'cluster';
  /** What a process runs that is not told otherwise. */
  readonly roles: readonly Role[];
  readonly log: KafkaLog;
  readonly staging: S3Staging;
  readonly catalog: MongodbCatalog | PostgresCatalog;
  readonly tables: PostgresTables;
  /** Absent: sources take no records that name a schema. */
  readonly schemaRegistry?: SchemaRegistryServer | undefined;
}

/** Checked TLS; absent files: the system's authorities, no certificate of our own. */
export interface Tls {
  readonly caFile?: string | undefined;
  readonly certFile?: string | undefined;
  readonly keyFile?: string | undefined;
}

export interface KafkaLog {
  readonly kind: 'kafka';
  /** `host:port`. */
  readonly brokers: readonly string[];
  /** Absent: plain text. */
  readonly tls?: Tls | undefined;
  readonly sasl?: Sasl | undefined;
  readonly sessionTimeoutMs: number;
  readonly topics: {
    /** Absent: as the brokers are configured. */
    readonly replication?: number | undefined;
    readonly minInSyncReplicas?: number | undefined;
    /** Of source topics. */
    readonly retentionMs: number;
    readonly retentionBytes?: number | undefined;
    /** Largest append to a source topic: all events of one request. */
    readonly maxAppendBytes: number;
  };
}

interface Sasl {
  readonly mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512';
  readonly username: string;
  readonly password: Secret;
}

export interface S3Staging {
  readonly kind: 's3';
  readonly bucket: string;
  /** Of every object name; empty, or with a slash at the end. */
  readonly prefix: string;
  readonly region: string;
  /** Absent: AWS's own. */
  readonly endpoint?: string | undefined;
  /** Absent: with an endpoint of its own. */
  readonly pathStyle?: boolean | undefined;
  readonly caFile?: string | undefined;
  /** Absent: found the way the AWS SDK does. */
  readonly credentials?: { readonly accessKeyId: string; readonly secretAccessKey: Secret } | undefined;
}

export interface MongodbCatalog {
  readonly kind: 'mongodb';
  readonly url: Secret;
  readonly database: string;
  readonly caFile?: string | undefined;
}

interface PostgresServer {
  readonly kind: 'postgres';
  readonly url: Secret;
  readonly tls?: Tls | undefined;
  readonly maxConnections: number;
}

export interface PostgresCatalog extends PostgresServer {
  readonly schema: string;
}

export type PostgresTables = PostgresServer;

/** A registry with the API of Confluent's. */
interface SchemaRegistryServer {
  /** Base of the API, for example `https://registry:8081`; user and password in it are not allowed. */
  readonly url: string;
  readonly username?: string | undefined;
  readonly password?: Secret | undefined;
  /** Absent: the system's authorities. */
  readonly caFile?: string | undefined;
}
