import type { StoreConfig, StorePart } from '../../config/topology/store-schemas.ts';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { Finding } from '../../core/finding.ts';
import { kafkaLog } from './kafka-log.ts';
import { mongodbCatalog } from './mongodb-catalog.ts';
import { ofServer } from './of-server.ts';
import { postgresCatalog } from './postgres-catalog.ts';
import { postgresTables } from './postgres-tables.ts';
import { s3Staging } from './s3-staging.ts';
import type { Examination, Opened, Opening, StoreRow, StoreRows } from './store-row.ts';

/** Every kind of store that a topology can name. */
const rows = {
  log: { kafka: kafkaLog },
  staging: { s3: s3Staging },
  catalog: { mongodb: mongodbCatalog, postgres: postgresCatalog },
  tables: { postgres: postgresTables },
} satisfies StoreRows;

/** A store as a topology describes it. */
export interface DescribedStore<Store> {
  /** Part of the topology, with what it is: `staging (s3)`. */
  readonly name: string;
  /** Rejects with the errors of the port, the name in front, and leaves nothing open. */
  readonly open: (opening: Opening) => Promise<Store>;
  readonly check: (examination: Examination) => Promise<readonly Finding[]>;
}

/** The stores of a cluster, none of them open. */
export function storesOf({ log, staging, catalog, tables }: Pick<ClusterTopology, StorePart>) {
  return {
    log: described('log', rows.log[log.kind], log),
    staging: described('staging', rows.staging[staging.kind], staging),
    catalog: described('catalog', rows.catalog[catalog.kind], catalog),
    tables: described('tables', rows.tables[tables.kind], tables),
  };
}

/** The row is that of the kind which the description names: it is typed as one that takes them all. */
function described<Part extends StorePart>(
  part: Part,
  row: StoreRow<StoreConfig<Part>, Opened[Part]>,
  config: StoreConfig<Part>,
): DescribedStore<Opened[Part]> {
  const name = `${part} (${config.kind})`;
  return {
    name,
    open: (opening) => ofServer(name, row.open(config, opening)),
    check: (examination) => row.check(config, examination),
  };
}

/** True when a store of any kind was there and refused us. */
export function isRefused(thrown: unknown): boolean {
  const parts: readonly Readonly<Record<string, Pick<StoreRow<never, unknown>, 'isRefused'>>>[] = Object.values(rows);
  return parts.some((kinds) => Object.values(kinds).some((row) => row.isRefused(thrown)));
}
