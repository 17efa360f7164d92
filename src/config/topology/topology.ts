import type { Role } from './role.ts';
import type { SchemaRegistryServer } from './schema-registry.ts';
import type { StoreConfig } from './store-schemas.ts';

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
  readonly log: StoreConfig<'log'>;
  readonly staging: StoreConfig<'staging'>;
  readonly catalog: StoreConfig<'catalog'>;
  readonly tables: StoreConfig<'tables'>;
  /** Absent: sources take no records that name a schema. */
  readonly schemaRegistry?: SchemaRegistryServer | undefined;
}
