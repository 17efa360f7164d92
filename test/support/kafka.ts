import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { v4 } from 'uuid';
import { freePort } from './free-port.ts';

const run = promisify(execFile);

const kafkaVersion = '4.3.0';
const readyMs = 60_000;

/** A Kafka for a suite. */
export interface KafkaForTests extends AsyncDisposable {
  /** `host:port`, with commas between several. */
  readonly brokers: string;
}

/**
 * Where the suites find their Kafka: the brokers that MILLRACE_TEST_KAFKA names; else one that `startKafka` brings up,
 * for which java and mvn are needed; else nowhere, with the reason.
 */
export async function whereIsKafka(): Promise<
  { readonly kind: 'given'; readonly brokers: string } | { readonly kind: 'started' } | Nowhere
> {
  const brokers = process.env['MILLRACE_TEST_KAFKA'];
  if (brokers !== undefined && brokers !== '') return { kind: 'given', brokers };
  for (const [command, argument] of [
    ['java', '-version'],
    ['mvn', '--version'],
  ] as const) {
    const found = await run(command, [argument]).then(
      () => true,
      () => false,
    );
    if (!found)
      return { kind: 'nowhere', reason: `no Kafka: MILLRACE_TEST_KAFKA is not set and there is no ${command}` };
  }
  return { kind: 'started' };
}

export interface Nowhere {
  readonly kind: 'nowhere';
  readonly reason: string;
}

/** The Kafka of `whereIsKafka`; disposing it takes down what was brought up for it. */
export async function openKafkaForTests(): Promise<KafkaForTests> {
  const place = await whereIsKafka();
  switch (place.kind) {
    case 'given':
      return { brokers: place.brokers, [Symbol.asyncDispose]: async () => {} };
    case 'started':
      return startKafka();
    case 'nowhere':
      throw new Error(place.reason);
    default:
      return place satisfies never;
  }
}

/** One broker that is its own controller, on free ports and in a temporary folder; it ends with this process. */
export async function startKafka(): Promise<KafkaForTests> {
  const libraries = await kafkaLibraries();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-kafka-'));
  const [port, controllerPort] = [await freePort(), await freePort()];
  const properties = join(folder, 'server.properties');
  await writeFile(properties, serverProperties({ folder, port, controllerPort }));
  await writeFile(join(folder, 'log4j2.properties'), logProperties);
  const classPath = ['-cp', join(libraries, '*')];
  await run('java', [...classPath, 'kafka.tools.StorageTool', 'format', '-t', v4(), '-c', properties]);
  const options = ['-Xmx384m', '-Xms128m', `-Dlog4j2.configurationFile=${join(folder, 'log4j2.properties')}`];
  // The shell ends the broker when its standard input closes: also when this process is killed.
  const script = '"$@" </dev/null & broker=$!; (cat >/dev/null; kill -9 $broker) <&3 & wait $broker';
  const command = ['java', ...options, ...classPath, 'kafka.Kafka', properties];
  const child = spawn('sh', ['-c', `exec 3<&0; ${script}`, 'sh', ...command], { stdio: ['pipe', 'pipe', 'pipe'] });
  const ended = once(child, 'exit');
  const stop = async (): Promise<void> => {
    child.stdin?.end();
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await untilStarted(child);
  } catch (thrown) {
    await stop();
    throw thrown;
  }
  return { brokers: `127.0.0.1:${port}`, [Symbol.asyncDispose]: stop };
}

/** Kafka's jars, fetched once by Maven into a cache of the user. */
async function kafkaLibraries(): Promise<string> {
  const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'millrace');
  const folder = join(cache, `kafka-${kafkaVersion}`);
  if (
    await readdir(folder).then(
      () => true,
      () => false,
    )
  )
    return folder;
  await mkdir(cache, { recursive: true });
  const work = await mkdtemp(join(cache, 'fetching-'));
  try {
    await writeFile(join(work, 'pom.xml'), pom);
    const goal = ['dependency:copy-dependencies', '-DincludeScope=runtime', '-DoutputDirectory=libs'];
    await run('mvn', ['-B', '-ntp', '-q', ...goal], { cwd: work });
    await rename(join(work, 'libs'), folder).catch(async (error: unknown) => {
      // Another process was faster.
      if ((await readdir(folder)).length === 0) throw error;
    });
    return folder;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function untilStarted(child: ChildProcess): Promise<void> {
  const lines: string[] = [];
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (why: string): void => reject(new Error(`Kafka ${why}:\n${lines.join('\n')}`));
  const onLine = (line: string): void => {
    lines.push(line);
    if (lines.length > 100) lines.shift();
    if (line.includes('Kafka Server started')) resolve();
  };
  if (child.stdout !== null) createInterface({ input: child.stdout }).on('line', onLine);
  if (child.stderr !== null) createInterface({ input: child.stderr }).on('line', onLine);
  child.once('exit', () => fail('ended before it was ready'));
  const timer = setTimeout(() => fail(`is not ready after ${readyMs} ms`), readyMs);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
  }
}

interface BrokerPlace {
  readonly folder: string;
  readonly port: number;
  readonly controllerPort: number;
}

function serverProperties({ folder, port, controllerPort }: BrokerPlace): string {
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=PLAINTEXT://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
log.dirs=${join(folder, 'data')}
offsets.topic.num.partitions=4
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
auto.create.topics.enable=false
broker.session.timeout.ms=1500
broker.heartbeat.interval.ms=300
`;
}

const logProperties = `rootLogger.level=INFO
rootLogger.appenderRef.stdout.ref=STDOUT
appender.console.type=Console
appender.console.name=STDOUT
appender.console.layout.type=PatternLayout
appender.console.layout.pattern=%d %p %m%n
`;

const pom = `<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>millrace</groupId>
  <artifactId>kafka-for-tests</artifactId>
  <version>1</version>
  <dependencies>
    <dependency>
      <groupId>org.apache.kafka</groupId>
      <artifactId>kafka_2.13</artifactId>
      <version>${kafkaVersion}</version>
    </dependency>
    <dependency>
      <groupId>org.apache.logging.log4j</groupId>
      <artifactId>log4j-slf4j-impl</artifactId>
      <version>2.25.3</version>
    </dependency>
  </dependencies>
</project>
`;
