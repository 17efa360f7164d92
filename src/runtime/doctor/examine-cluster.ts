import { checkKafka } from '../../adapters/kafka/check-kafka.ts';
import { checkMongodbCatalog } from '../../adapters/mongodb/check-catalog.ts';
import { checkPostgresCatalog } from '../../adapters/postgres/check-catalog.ts';
import { checkTables } from '../../adapters/postgres/check-tables.ts';
import { checkBucket } from '../../adapters/s3/check-bucket.ts';
import { checkSchemaRegistry } from '../../adapters/schema-registry/check-registry.ts';
import { tmpdir } from 'node:os';
import type { ClusterTopology } from '../../config/topology/topology.ts';
import type { Finding } from '../../core/finding.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import {
  mongodbCatalogOptions,
  postgresCatalogOptions,
  sourceLogOptions,
  stagingOptions,
  tableOptions,
} from '../cluster/adapter-options.ts';
import type { Examined } from '../product.ts';
import { systemClock } from '../system-clock.ts';

/** One server may take so long for all that is looked at. */
const withinMs = 60_000;

/** What `Product.examineCluster` promises. */
export function examineCluster(
  { log, staging, catalog, tables, schemaRegistry }: ClusterTopology,
  signal: AbortSignal,
): Promise<readonly Examined[]> {
  const clientId = 'millrace-doctor';
  const look = async (server: string, check: Check): Promise<Examined> => {
    const options = { now: systemClock.now(), signal: AbortSignal.any([signal, AbortSignal.timeout(withinMs)]) };
    try {
      return { server, findings: await check(options) };
    } catch (thrown) {
      signal.throwIfAborted();
      return { server, findings: [{ kind: 'bad', about: 'connection', text: reasonOf(thrown) }] };
    }
  };
  return Promise.all([
    look(`log (${log.kind})`, (options) => checkKafka(sourceLogOptions(log, clientId), options)),
    look(`staging (${staging.kind})`, (options) => checkBucket(stagingOptions(staging), options)),
    look(`catalog (${catalog.kind})`, (options) => checkCatalog(catalog, { clientId, ...options })),
    look(`tables (${tables.kind})`, (options) =>
      checkTables(tableOptions(tables, { clientId, tempDir: tmpdir() }), options),
    ),
    ...(schemaRegistry === undefined
      ? []
      : [look('schema registry', (options) => checkSchemaRegistry(schemaRegistry, options))]),
  ]);
}

type Check = (options: { readonly now: number; readonly signal: AbortSignal }) => Promise<readonly Finding[]>;

function checkCatalog(
  catalog: ClusterTopology['catalog'],
  { clientId, ...options }: Parameters<Check>[0] & { readonly clientId: string },
): Promise<readonly Finding[]> {
  switch (catalog.kind) {
    case 'mongodb':
      return checkMongodbCatalog(mongodbCatalogOptions(catalog, clientId), options);
    case 'postgres':
      return checkPostgresCatalog(postgresCatalogOptions(catalog, clientId), options);
    default:
      return catalog satisfies never;
  }
}

function reasonOf(thrown: unknown): string {
  if (thrown instanceof Error && thrown.name === 'TimeoutError') return `No answer within ${withinMs / 1000} seconds.`;
  return MillraceError.fromUnknown(thrown).message;
}
