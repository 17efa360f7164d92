import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { v4 } from 'uuid';
import { classArchive } from './class-archive.ts';
import { lastingPort } from './free-port.ts';
import { kafkaLibraries, kafkaRelease } from './kafka-libraries.ts';
import { lightJvm } from './light-jvm.ts';
import { madeOnce } from './made-once.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

const run = promisify(execFile);

const readyMs = 240_000;

export interface KafkaServer {
  /** For messages. */
  readonly name: string;
  /** Path of its server.properties; what it logs is set beside it. */
  readonly properties: string;
}

/** Starts a broker or a controller whose folder is formatted. Resolves when it is ready. */
export async function startKafkaServer(server: KafkaServer): Promise<ServerProcess> {
  return launch(server, await classArchive(kafkaRelease, writeClasses));
}

async function launch({ name, properties }: KafkaServer, archive: string): Promise<ServerProcess> {
  const logging = join(dirname(properties), `log4j2-${basename(properties)}`);
  await writeFile(logging, logProperties);
  const options = ['-Xmx256m', '-Xms96m', ...lightJvm, archive, `-Dlog4j2.configurationFile=${logging}`];
  return startServerProcess({
    name,
    command: ['java', ...options, ...(await classPath()), 'kafka.Kafka', properties],
    isReady: (line) => line.includes('Kafka Server started'),
    readyMs,
  });
}

async function classPath(): Promise<readonly string[]> {
  return ['-cp', join(await kafkaLibraries(), '*')];
}

export interface KafkaIdentity {
  readonly clusterId: string;
  readonly nodeId: number;
}

/** What Kafka's tool writes into the empty folder of a broker, without a process for it. */
export async function formatBroker(folder: string, { clusterId, nodeId }: KafkaIdentity): Promise<void> {
  const directory = randomBytes(16).toString('base64url').replaceAll('-', 'a');
  const meta = `version=1\ncluster.id=${clusterId}\nnode.id=${nodeId}\ndirectory.id=${directory}\n`;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'meta.properties'), meta);
}

/** The same for one that is, or has beside it, the controller: the tool's first records, made once, are the same for all. */
export async function formatController(folder: string, identity: KafkaIdentity): Promise<void> {
  await formatBroker(folder, identity);
  const records = await madeOnce(`${kafkaRelease}-bootstrap.checkpoint`, async (work) => {
    await formatByTool(await writeProperties(work));
    return join('data', 'bootstrap.checkpoint');
  });
  await copyFile(records, join(folder, 'bootstrap.checkpoint'));
}

/** By Kafka's tool; for what only the tool knows, a user for example. */
export async function formatByTool(properties: string, options: readonly string[] = []): Promise<void> {
  const format = ['format', '-t', v4(), '-c', properties, ...options];
  await run('java', [...lightJvm, ...(await classPath()), 'kafka.tools.StorageTool', ...format]);
}

/** A broker that starts, and leaves. */
async function writeClasses(archive: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-kafka-classes-'));
  try {
    const properties = await writeProperties(folder);
    await formatController(join(folder, 'data'), { clusterId: v4(), nodeId: 1 });
    const server = await launch({ name: 'Kafka', properties }, archive);
    await server.leave();
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Of a broker that is its own controller and has no clients. */
async function writeProperties(folder: string): Promise<string> {
  const [port, controllerPort] = [await lastingPort(), await lastingPort()];
  const file = join(folder, 'server.properties');
  await writeFile(
    file,
    `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
controller.listener.names=CONTROLLER
log.dirs=${join(folder, 'data')}
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
`,
  );
  return file;
}

/** What a server says, on its standard output. */
const logProperties = `rootLogger.level=INFO
rootLogger.appenderRef.stdout.ref=STDOUT
appender.console.type=Console
appender.console.name=STDOUT
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d %p %m%n
`;
