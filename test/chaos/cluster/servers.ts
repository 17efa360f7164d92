import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { whyNoCluster } from '../../support/cluster.ts';
import { startKafkaBrokers, type KafkaBrokers } from '../../support/kafka-brokers.ts';
import { execute, startPostgres } from '../../support/postgres.ts';
import { startS3 } from '../../support/s3.ts';
import { topologyText } from '../../support/topology-text.ts';
import { startToxiproxy, whyNoToxiproxy, type ProxiedWay } from '../../support/toxiproxy.ts';
import type { ServerName } from './fault.ts';

/** By process. */
type Ways = ReadonlyMap<string, ProxiedWay>;

/** Three brokers, PostgreSQL and S3, each behind proxies. */
export interface ChaosServers extends AsyncDisposable {
  readonly topology: string;
  readonly kafka: KafkaBrokers;
  /** Variables by which a process finds its own ways to the servers. */
  environmentOf(member: string): Promise<Readonly<Record<string, string>>>;
  kill(server: ServerName): Promise<void>;
  start(server: ServerName): Promise<void>;
  /** The way of a process, or of all. */
  waysTo(server: ServerName, member: string | undefined): readonly ProxiedWay[];
  /** All documents of the catalog and the rows of the tables' ledger, as they are now. */
  documents(): Promise<unknown>;
}

/** Why the servers cannot be had here; undefined when they can. In CI it throws instead. */
export async function whyNoChaosServers(): Promise<string | undefined> {
  for (const name of ['MILLRACE_TEST_KAFKA', 'MILLRACE_TEST_POSTGRES', 'MILLRACE_TEST_S3']) {
    if ((process.env[name] ?? '') !== '') return `servers that may be killed are needed, and ${name} is set`;
  }
  const reason = (await whyNoCluster()) ?? (await whyNoToxiproxy());
  if (reason !== undefined && process.env['CI'] !== undefined) throw new Error(reason);
  return reason;
}

/** An append is taken by two brokers at least. */
const topics = { replication: 3, minInSyncReplicas: 2 } as const;

/** `folder` takes the topology file. */
export async function startChaosServers(folder: string, sessionTimeoutMs: number): Promise<ChaosServers> {
  await using stack = new AsyncDisposableStack();
  const proxy = stack.use(await startToxiproxy());
  const [kafka, postgres, s3] = await Promise.all([
    startKafkaBrokers({ proxy, sessionTimeoutMs }).then((started) => stack.use(started)),
    startPostgres({ settings: ['max_connections=300'] }).then((started) => stack.use(started)),
    startS3().then((started) => stack.use(started)),
  ]);
  const servers = { postgres, s3 };
  const topology = join(folder, 'topology.yaml');
  await writeFile(topology, topologyText(kafka.brokers, s3.options, { sessionTimeoutMs, topics }));
  const [catalogUrl, tablesUrl] = [await postgres.createDatabase(), await postgres.createDatabase()];
  const ways: Readonly<Record<ServerName, Map<string, ProxiedWay>>> = {
    postgres: new Map(),
    s3: new Map(),
  };
  const held = stack.move();
  return {
    topology,
    kafka,
    environmentOf: async (member) => {
      const toPostgres = await proxy.way(`postgres-${member}`, postgres.port);
      const toS3 = await proxy.way(`s3-${member}`, Number(new URL(s3.options.endpoint).port));
      ways.postgres.set(member, toPostgres);
      ways.s3.set(member, toS3);
      return {
        CATALOG_URL: atPort(catalogUrl.reveal(), toPostgres.port),
        TABLES_URL: atPort(tablesUrl.reveal(), toPostgres.port),
        S3_ENDPOINT: `http://127.0.0.1:${toS3.port}`,
        S3_SECRET: s3.options.credentials?.secretAccessKey.reveal() ?? '',
      };
    },
    kill: (server) => servers[server].kill(),
    start: (server) => servers[server].start(),
    waysTo: (server, member) => chosen(ways[server], member),
    documents: async () => ({
      catalog: await execute(catalogUrl, 'SELECT * FROM millrace_catalog.document ORDER BY collection, id'),
      tables: await execute(tablesUrl, 'SELECT table_schema, table_name FROM information_schema.tables'),
      ledger: await execute(tablesUrl, 'SELECT * FROM millrace_tables.ledger').catch(String),
    }),
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

function chosen(ways: Ways, member: string | undefined): readonly ProxiedWay[] {
  const own = member === undefined ? undefined : ways.get(member);
  return own === undefined ? [...ways.values()] : [own];
}

function atPort(url: string, port: number): string {
  const changed = new URL(url);
  changed.port = String(port);
  return changed.href;
}
