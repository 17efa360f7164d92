import { readFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectLibraries } from './connect-libraries.ts';
import { eventually } from './eventually.ts';
import { lastingPort } from './free-port.ts';
import { canRun } from './can-run.ts';
import { whereIsKafka } from './kafka.ts';
import { lightJvm } from './light-jvm.ts';
import { startServerProcess } from './server-process.ts';

const readyMs = 120_000;

export type ConnectorConfiguration = Readonly<Record<string, string>>;

/** A connector as its worker tells. */
export interface ConnectorStatus {
  readonly connector: { readonly state: string };
  readonly tasks: readonly { readonly state: string; readonly trace?: string }[];
}

/** A Kafka Connect worker with the HTTP sink connector that can be had here. */
export interface ConnectWorker extends AsyncDisposable {
  /** Base address of its REST interface. */
  readonly url: string;
  /** Makes or changes a connector, and waits until it and its tasks run. */
  start(name: string, configuration: ConnectorConfiguration): Promise<void>;
  status(name: string): Promise<ConnectorStatus>;
  remove(name: string): Promise<void>;
  /** All that it has written to its log. */
  log(): Promise<string>;
  /** kill -9 of the worker. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, with the connectors that it had, under the same address. */
  restart(): Promise<void>;
}

/** Why there can be no Connect here; undefined when there can. In CI it throws instead. */
export async function whyNoConnect(): Promise<string | undefined> {
  const reason = await whatIsMissing();
  if (reason !== undefined && process.env['CI'] !== undefined) throw new Error(reason);
  return reason;
}

async function whatIsMissing(): Promise<string | undefined> {
  const kafka = await whereIsKafka();
  if (kafka.kind === 'nowhere') return kafka.reason;
  for (const command of ['java', 'javac', 'mvn']) {
    if (!(await canRun(command))) return `no Kafka Connect: there is no ${command}`;
  }
  return undefined;
}

/** One worker on a free port, in a temporary folder; it ends with this process. `env` is what `${env:NAME}` finds. */
export async function startConnect(options: {
  readonly brokers: string;
  readonly env: Readonly<Record<string, string>>;
}): Promise<ConnectWorker> {
  const libraries = await connectLibraries();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-connect-'));
  const port = await lastingPort();
  const url = `http://127.0.0.1:${port}`;
  const properties = join(folder, 'worker.properties');
  const logFile = join(folder, 'worker.log');
  await writeFile(properties, workerProperties({ ...libraries, brokers: options.brokers, port }));
  await writeFile(join(folder, 'log4j2.properties'), logProperties(logFile));
  const logging = `-Dlog4j2.configurationFile=${join(folder, 'log4j2.properties')}`;
  const javaOptions = ['-Xmx512m', ...lightJvm, logging, '-cp', libraries.classPath];
  const begin = async () => {
    const server = await startServerProcess({
      name: 'Kafka Connect',
      command: ['java', ...javaOptions, 'org.apache.kafka.connect.cli.ConnectDistributed', properties],
      env: { ...process.env, ...options.env },
      isReady: (line) => line.includes('Kafka Connect started'),
      readyMs,
    });
    await eventually(() => ask('GET', `${url}/connectors`), { withinMs: readyMs, everyMs: 200 });
    return server;
  };
  const clear = (): Promise<void> => rm(folder, { recursive: true, force: true });
  let server = await begin().catch(async (thrown: unknown) => {
    await clear();
    throw thrown;
  });
  const status = async (name: string): Promise<ConnectorStatus> =>
    (await ask('GET', `${url}/connectors/${name}/status`)) as ConnectorStatus;
  return {
    url,
    start: async (name, configuration) => {
      await ask('PUT', `${url}/connectors/${name}/config`, configuration);
      await eventually(async () => expectRunning(name, await status(name)), { everyMs: 100 });
    },
    status,
    remove: async (name) => {
      await ask('DELETE', `${url}/connectors/${name}`);
    },
    log: () => readFile(logFile, 'utf8'),
    kill: () => server.kill(),
    restart: async () => {
      server = await begin();
    },
    [Symbol.asyncDispose]: async () => {
      await server.kill();
      await clear();
    },
  };
}

/** Throws, with the trace of what has failed, unless the connector and at least one task of it run. */
export function expectRunning(name: string, { connector, tasks }: ConnectorStatus): void {
  const failed = tasks.find(({ state }) => state !== 'RUNNING');
  if (connector.state === 'RUNNING' && tasks.length > 0 && failed === undefined) return;
  throw new Error(
    `connector ${name} is ${connector.state}, task ${failed?.state ?? 'missing'}: ${failed?.trace ?? ''}`,
  );
}

async function ask(method: string, url: string, body?: unknown): Promise<unknown> {
  const answer = await fetch(url, {
    method,
    headers: { 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${text}`);
  return text === '' ? undefined : JSON.parse(text);
}

interface WorkerPlace {
  readonly brokers: string;
  readonly port: number;
  readonly plugins: string;
}

function workerProperties({ brokers, port, plugins }: WorkerPlace): string {
  const name = `millrace-connect-${process.pid}-${port}`;
  const topics = ['config', 'offset', 'status'].map(
    (kind) => `${kind}.storage.topic=${name}-${kind}\n${kind}.storage.replication.factor=1`,
  );
  return `bootstrap.servers=${brokers}
group.id=${name}
${topics.join('\n')}
offset.storage.partitions=1
status.storage.partitions=1
listeners=http://127.0.0.1:${port}
plugin.path=${plugins}
plugin.discovery=service_load
connector.client.config.override.policy=All
config.providers=env
config.providers.env.class=org.apache.kafka.common.config.provider.EnvVarConfigProvider
key.converter=org.apache.kafka.connect.storage.StringConverter
value.converter=org.apache.kafka.connect.storage.StringConverter
offset.flush.interval.ms=1000
`;
}

function logProperties(file: string): string {
  return `rootLogger.level=INFO
rootLogger.appenderRef.stdout.ref=STDOUT
rootLogger.appenderRef.file.ref=FILE
appender.console.type=Console
appender.console.name=STDOUT
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d %p %m%n
appender.file.type=File
appender.file.name=FILE
appender.file.fileName=${file}
appender.file.layout.type=PatternLayout
appender.file.layout.pattern=%d %p %c %m%n
`;
}
