import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v4 } from 'uuid';
import { mendRequestQueues } from '../../src/adapters/kafka/request-queue.ts';
import { canRun } from './can-run.ts';
import { lastingPort } from './free-port.ts';
import { formatByTool, formatController, startKafkaServer } from './kafka-server.ts';
import type { ServerProcess } from './server-process.ts';

// Suites have clients of the driver beside those of the product, which warn of timers below zero otherwise.
mendRequestQueues();

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
  for (const command of ['java', 'mvn']) {
    if (!(await canRun(command)))
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

/** One that this process has started and may kill. */
export interface StartedKafka extends KafkaForTests {
  /** Where it keeps its topics, a folder for each partition. */
  readonly dataFolder: string;
  /** kill -9 of the broker. Resolves when it is gone. */
  kill(): Promise<void>;
  /** Starts it again, with what it had, under the same address. */
  start(): Promise<void>;
}

export interface KafkaAddress {
  /** Where the broker listens. */
  readonly port: number;
  /** Where clients find it; another one for a proxy before it. */
  readonly advertisedPort: number;
}

/** A broker that takes clients over TLS only, who say a name and a password by SCRAM-SHA-256 or PLAIN. */
export interface KafkaSecurity {
  /** Private key and certificate, both as PEM in one file. */
  readonly keyFile: string;
  readonly username: string;
  readonly password: string;
}

/** One broker that is its own controller, in a temporary folder; it ends with this process. Default: on a free port, open to all. */
export async function startKafka(address?: KafkaAddress, security?: KafkaSecurity): Promise<StartedKafka> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-kafka-'));
  const port = address?.port ?? (await lastingPort());
  const advertisedPort = address?.advertisedPort ?? port;
  const controllerPort = await lastingPort();
  const properties = join(folder, 'server.properties');
  const secured = security === undefined ? '' : securityProperties(security);
  await writeFile(properties, serverProperties({ folder, port, advertisedPort, controllerPort }, security) + secured);
  const data = join(folder, 'data');
  if (security === undefined) await formatController(data, { clusterId: v4(), nodeId: 1 });
  else await formatByTool(properties, ['--add-scram', scramUser(security)]);
  const startBroker = (): Promise<ServerProcess> => startKafkaServer({ name: 'Kafka', properties });
  let broker: ServerProcess;
  const clear = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    broker = await startBroker();
  } catch (thrown) {
    await clear();
    throw thrown;
  }
  return {
    brokers: `127.0.0.1:${advertisedPort}`,
    dataFolder: data,
    kill: () => broker.kill(),
    start: async () => {
      broker = await startBroker();
    },
    [Symbol.asyncDispose]: async () => {
      await broker.kill();
      await clear();
    },
  };
}

interface BrokerPlace extends KafkaAddress {
  readonly folder: string;
  readonly controllerPort: number;
}

function serverProperties(
  { folder, port, advertisedPort, controllerPort }: BrokerPlace,
  security: KafkaSecurity | undefined,
): string {
  const [name, protocol] = security === undefined ? ['PLAINTEXT', 'PLAINTEXT'] : ['SECURE', 'SASL_SSL'];
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controllerPort}
listeners=${name}://127.0.0.1:${port},CONTROLLER://127.0.0.1:${controllerPort}
advertised.listeners=${name}://127.0.0.1:${advertisedPort}
controller.listener.names=CONTROLLER
listener.security.protocol.map=${name}:${protocol},CONTROLLER:PLAINTEXT
inter.broker.listener.name=${name}
log.dirs=${join(folder, 'data')}
offsets.topic.num.partitions=4
offsets.topic.replication.factor=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
transaction.state.log.num.partitions=4
share.coordinator.state.topic.replication.factor=1
share.coordinator.state.topic.min.isr=1
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
auto.create.topics.enable=false
broker.session.timeout.ms=1500
broker.heartbeat.interval.ms=300
`;
}

function scramUser({ username, password }: KafkaSecurity): string {
  return `SCRAM-SHA-256=[name=${username},password=${password}]`;
}

function securityProperties({ keyFile, username, password }: KafkaSecurity): string {
  const login = `username="${username}" password="${password}"`;
  const plain = 'org.apache.kafka.common.security.plain.PlainLoginModule';
  const scram = 'org.apache.kafka.common.security.scram.ScramLoginModule';
  return `ssl.keystore.type=PEM
ssl.keystore.location=${keyFile}
ssl.client.auth=none
ssl.truststore.type=PEM
ssl.truststore.location=${keyFile}
ssl.endpoint.identification.algorithm=
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256
sasl.mechanism.inter.broker.protocol=PLAIN
listener.name.secure.plain.sasl.jaas.config=${plain} required ${login} user_${username}="${password}";
listener.name.secure.scram-sha-256.sasl.jaas.config=${scram} required;
`;
}
