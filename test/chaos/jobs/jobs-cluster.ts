import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Api } from '../../support/api.ts';
import { lastingPort } from '../../support/free-port.ts';
import { startKafka } from '../../support/kafka.ts';
import { startPostgres } from '../../support/postgres.ts';
import { startS3 } from '../../support/s3.ts';
import { topologyText } from '../../support/topology-text.ts';
import { Member } from '../cluster/member.ts';

/** What may be killed and comes back with what it had. */
export interface Victim {
  kill(): Promise<void>;
  start(): Promise<void>;
}

export interface JobsCluster extends AsyncDisposable {
  /** Logs of the processes are there; it stays when `keep` was called. */
  readonly folder: string;
  readonly keep: () => void;
  /** Processes with the role `work` and nothing else. */
  readonly workers: readonly Member[];
  /** Makes one more, which is not among `workers`; it is not started yet. */
  readonly worker: (name: string) => Promise<Member>;
  /** Each on a server of its own. */
  readonly catalog: Victim;
  readonly tables: Victim;
  readonly api: () => Api;
  /** Rejects when a process ended by itself. */
  readonly failed: Promise<never>;
}

const rootToken = 'jobs-root-token';
const answerMs = 10_000;
/** The shortest that is not shorter than the pauses of a busy machine. */
const sessionTimeoutMs = 3000;

export interface JobsClusterOptions {
  /** Processes with the role work. */
  readonly workers: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A cluster that runs jobs: one process with the role admin, others with the role work, and servers of its own, which may be killed. */
export async function startJobsCluster({ workers, env = {} }: JobsClusterOptions): Promise<JobsCluster> {
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-jobs-cluster-'));
  let isKept = false;
  stack.defer(async () => {
    if (!isKept) await rm(folder, { recursive: true, force: true });
  });
  const [kafka, catalog, tables, s3] = await Promise.all([
    startKafka().then((started) => stack.use(started)),
    startPostgres().then((started) => stack.use(started)),
    startPostgres().then((started) => stack.use(started)),
    startS3().then((started) => stack.use(started)),
  ]);
  const topology = join(folder, 'topology.yaml');
  await writeFile(topology, topologyText(kafka.brokers, s3.options, { sessionTimeoutMs }));
  const servers = {
    CATALOG_URL: (await catalog.createDatabase()).reveal(),
    TABLES_URL: (await tables.createDatabase()).reveal(),
    S3_ENDPOINT: s3.options.endpoint,
    S3_SECRET: s3.options.credentials?.secretAccessKey.reveal() ?? '',
  };
  const members: Member[] = [];
  stack.defer(async () => void (await Promise.all(members.map((one) => one.kill()))));
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  const member = async (name: string, roles: string): Promise<Member> => {
    const made = new Member({
      name,
      roles,
      topology,
      logFile: join(folder, `${name}.log`),
      env: {
        ...servers,
        MILLRACE_DATA_DIR: join(folder, name),
        MILLRACE_ADMIN_PORT: String(await lastingPort()),
        MILLRACE_OPS_PORT: '0',
        MILLRACE_ROOT_TOKEN: rootToken,
        MILLRACE_PUBLIC_INGEST_URL: 'http://127.0.0.1:1',
        MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1',
        ...env,
      },
      onEnd: (which, how) => failed.reject(new Error(`${which} ended by itself with ${how}`)),
    });
    members.push(made);
    return made;
  };
  const admin = await member('admin', 'admin');
  const all = await Promise.all(Array.from({ length: workers }, (_, at) => member(`work-${at + 1}`, 'work')));
  await Promise.all([admin, ...all].map((one) => one.start()));
  const held = stack.move();
  return {
    folder,
    keep: () => {
      isKept = true;
    },
    workers: all,
    worker: (name) => member(name, 'work'),
    catalog,
    tables,
    api: () => new Api(admin.process.admin, rootToken, { timeoutMs: answerMs }),
    failed: failed.promise,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}
