import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { builtEntry } from './built-entry.ts';
import { lastingPort } from './free-port.ts';
import { rootToken } from './installation.ts';

/** A process of a cluster that need not come up; it is killed when it is disposed of. */
export interface ClusterProcess extends AsyncDisposable {
  readonly child: ChildProcess;
  /** Base of the pages with its health. */
  readonly url: string;
  /** Standard error, when it has ended. */
  readonly log: Promise<string>;
  exitCode(): Promise<number | null>;
}

export interface ClusterProcessOptions {
  /** Of Kafka and S3. */
  readonly serverPort: number;
  readonly databaseUrl: string;
  readonly roles: string;
}

/** Starts it, and does not wait for anything. */
export async function startClusterProcess(options: ClusterProcessOptions): Promise<ClusterProcess> {
  const { serverPort, databaseUrl, roles } = options;
  const folder = await mkdtemp(join(tmpdir(), 'millrace-away-'));
  const topology = join(folder, 'topology.json');
  const database = { kind: 'postgres', url: { env: 'DATABASE_URL' } };
  const servers = {
    kind: 'cluster',
    log: { kind: 'kafka', brokers: [`127.0.0.1:${serverPort}`], topics: { replication: 1 } },
    staging: { kind: 's3', bucket: 'staging', endpoint: `http://127.0.0.1:${serverPort}` },
    catalog: database,
    tables: database,
  };
  await writeFile(topology, JSON.stringify(servers));
  const port = await lastingPort();
  const child = spawn(process.execPath, [await builtEntry('main'), 'start', '--topology', topology, '--role', roles], {
    env: {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: databaseUrl,
      MILLRACE_DATA_DIR: join(folder, 'data'),
      MILLRACE_ROOT_TOKEN: rootToken,
      MILLRACE_ADMIN_PORT: String(port),
      MILLRACE_INGEST_PORT: '0',
      MILLRACE_OTLP_GRPC_PORT: '0',
      MILLRACE_OPS_PORT: String(port),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  return {
    child,
    url: `http://127.0.0.1:${port}`,
    log: text(child.stderr),
    exitCode: async () => (await ended)[0],
    [Symbol.asyncDispose]: async () => {
      child.kill('SIGKILL');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
