import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { installationTopic } from '../../src/adapters/kafka/config.ts';
import { openKafkaEventLog } from '../../src/adapters/kafka/event-log.ts';
import { rootToken } from './installation.ts';
import { openKafkaForTests, whereIsKafka, type KafkaForTests } from './kafka.ts';
import { openMongodbForTests } from './mongodb.ts';
import { openPostgresForTests, whereIsPostgres } from './postgres.ts';
import { startProcess, type ProductProcess } from './process.ts';
import { runMillrace } from './run-millrace.ts';
import { openS3ForTests, whereIsS3, type S3ForTests } from './s3.ts';
import { stagingPrefix, topologyText, type TopologyChoices } from './topology-text.ts';

/** Real servers for a cluster, and a topology that names them. */
export interface Cluster extends AsyncDisposable {
  /** Path of the topology file. */
  readonly topology: string;
  /** The variables that the topology refers to. */
  readonly secrets: Readonly<Record<string, string>>;
  /** The servers themselves, for tests that look behind the product. */
  readonly brokers: string;
  readonly s3: S3ForTests['options'];
  /** Of the objects in staging. */
  readonly prefix: string;
  /** Starts a process with these roles; it is killed with the cluster when it still runs then. */
  start(
    roles: string,
    env?: Readonly<Record<string, string>>,
    entry?: 'main' | 'hanging-process',
  ): Promise<ProductProcess>;
}

/** Why there can be no cluster here; undefined when there can. In CI it throws instead. */
export async function whyNoCluster(): Promise<string | undefined> {
  for (const place of [await whereIsKafka(), await whereIsPostgres(), await whereIsS3()]) {
    if (place.kind !== 'nowhere') continue;
    if (process.env['CI'] !== undefined) throw new Error(place.reason);
    return place.reason;
  }
  return undefined;
}

export interface ClusterChoices extends Omit<TopologyChoices, 'prefix'> {
  /** The brokers of the test itself, which it may kill and which it takes down; absent: those of `openKafkaForTests`. */
  readonly ownKafka?: KafkaForTests;
}

export async function openCluster({ ownKafka, ...choices }: ClusterChoices = {}): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-cluster-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const [kafka, postgres, s3] = await Promise.all([
    ownKafka ?? openKafkaForTests().then((opened) => stack.use(opened)),
    openPostgresForTests().then((opened) => stack.use(opened)),
    openS3ForTests().then((opened) => stack.use(opened)),
  ]);
  const catalogUrl = async (): Promise<string> => {
    if (choices.catalog !== 'mongodb') return (await postgres.createDatabase()).reveal();
    return stack.use(await openMongodbForTests()).url.reveal();
  };
  const topology = join(folder, 'topology.yaml');
  const prefix = stagingPrefix();
  await writeFile(topology, topologyText(kafka.brokers, s3.options, { ...choices, prefix }));
  const secrets = {
    S3_ENDPOINT: s3.options.endpoint,
    S3_SECRET: s3.options.credentials?.secretAccessKey.reveal() ?? '',
    CATALOG_URL: await catalogUrl(),
    TABLES_URL: (await postgres.createDatabase()).reveal(),
  };
  if (ownKafka === undefined && (await whereIsKafka()).kind === 'given')
    await takeOver(kafka.brokers, { topology, env: secrets });
  let started = 0;
  const held = stack.move();
  return {
    topology,
    secrets,
    brokers: kafka.brokers,
    s3: s3.options,
    prefix,
    start: async (roles, env = {}, entry = 'main') => {
      started += 1;
      const process = await startProcess({
        entry,
        endsWithParent: true,
        readyMs: 120_000,
        env: {
          ...secrets,
          MILLRACE_TOPOLOGY: topology,
          MILLRACE_ROLES: roles,
          MILLRACE_DATA_DIR: join(folder, `process-${started}`),
          MILLRACE_ADMIN_PORT: '0',
          MILLRACE_INGEST_PORT: '0',
          MILLRACE_OPS_PORT: '0',
          MILLRACE_ROOT_TOKEN: rootToken,
          MILLRACE_LOG_LEVEL: 'warn',
          ...env,
        },
      });
      held.defer(async () => {
        process.kill('SIGKILL');
        await process.ended;
      });
      return process;
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

/** Brokers that were given belonged to the catalog of another suite, which left its topics there. */
async function takeOver(
  brokers: string,
  { topology, env }: { readonly topology: string; readonly env: Readonly<Record<string, string>> },
): Promise<void> {
  await using log = openKafkaEventLog({ brokers: brokers.split(','), clientId: 'millrace-test' });
  await log.deleteTopic(installationTopic, { signal: AbortSignal.timeout(30_000) });
  const { code, stderr } = await runMillrace(['claim', '--topology', topology], { env });
  if (code !== 0) throw new Error(`the servers cannot be claimed: ${stderr}`);
}
