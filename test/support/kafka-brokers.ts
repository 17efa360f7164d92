import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v4 } from 'uuid';
import type { TopicPartition } from '../../src/core/offset.ts';
import { eventually } from './eventually.ts';
import { lastingPort } from './free-port.ts';
import { openKafkaLeaders, type PartitionState } from './kafka-leaders.ts';
import { formatBroker, formatController, startKafkaServer } from './kafka-server.ts';
import type { ServerProcess } from './server-process.ts';
import type { ProxiedWay, Toxiproxy } from './toxiproxy.ts';

/** One of several brokers, which this process has started and may spoil. */
export interface KafkaBroker {
  readonly id: number;
  /** The way of all clients to it; undefined without a proxy. Brokers find each other on another one. */
  readonly way: ProxiedWay | undefined;
  /** kill -9. Resolves when it is gone; once more does nothing. */
  kill(): Promise<void>;
  /** Starts it again, with what it had, under the same address. */
  start(): Promise<void>;
  /** SIGSTOP: it hangs, with its connections. A broker that is silent for longer than its session is fenced. */
  freeze(): Promise<void>;
  thaw(): void;
}

/** Brokers and a controller of their own, which stays when all brokers are away. */
export interface KafkaBrokers extends AsyncDisposable {
  /** `host:port` of all, with commas. */
  readonly brokers: string;
  readonly nodes: readonly KafkaBroker[];
  /** Who leads each partition of the topic, and who is in sync, as a living broker knows it. */
  partitions(topic: string): Promise<readonly PartitionState[]>;
  /** Makes the broker the leader; it must be in sync. Resolves when it leads. */
  moveLeader(at: TopicPartition, id: number): Promise<void>;
  /** Resolves when all replicas of all partitions of the topic are in sync. */
  inSync(topic: string): Promise<void>;
  /** Kills them and copies what they have on their disks, but for what follows from it; for a person who looks for a cause. */
  keepData(folder: string): Promise<void>;
}

export interface KafkaBrokersOptions {
  readonly count?: number;
  /** A proxy before each broker: its port is the one that clients are told. */
  readonly proxy?: Toxiproxy;
  /** A broker that is silent for so long is fenced, and what it led moves. Kafka's own default is 9 s. */
  readonly sessionTimeoutMs?: number;
}

/**
 * Three brokers and their controller, four processes, in a temporary folder; they end with this process. New topics
 * have a replica on each broker and take an append when two are in sync.
 */
export async function startKafkaBrokers(options: KafkaBrokersOptions = {}): Promise<KafkaBrokers> {
  const { count = 3, proxy, sessionTimeoutMs = 2000 } = options;
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-brokers-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const plan: ClusterPlan = {
    folder,
    count,
    sessionTimeoutMs,
    clusterId: v4(),
    controllerPort: await lastingPort(),
  };
  await prepareController(plan);
  const controller = await launcher(plan, controllerId)();
  stack.defer(() => controller.kill());
  const nodes = await Promise.all(
    Array.from({ length: count }, (_, index) => startNode(plan, { id: index + 1, proxy, stack })),
  );
  const brokers = nodes.map(({ port }) => `127.0.0.1:${port}`);
  const leaders = stack.use(openKafkaLeaders(brokers));
  const held = stack.move();
  return {
    brokers: brokers.join(','),
    nodes,
    partitions: (topic) => leaders.partitions(topic),
    moveLeader: (at, id) => leaders.moveLeader(at, id),
    inSync: async (topic) => {
      await eventually(
        async () => {
          const behind = (await leaders.partitions(topic)).filter(
            ({ replicas, inSync }) => inSync.length < replicas.length,
          );
          if (behind.length > 0) throw new Error(`${topic} is not in sync: ${JSON.stringify(behind)}`);
        },
        { everyMs: 100 },
      );
    },
    keepData: async (to) => {
      await Promise.all(nodes.map((node) => node.kill()));
      await cp(folder, to, { recursive: true, filter: (path) => !/\.(index|timeindex)$/.test(path) });
    },
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

const controllerId = 100;

interface ClusterPlan {
  readonly folder: string;
  readonly count: number;
  readonly sessionTimeoutMs: number;
  readonly clusterId: string;
  readonly controllerPort: number;
}

/** The folder of a server has what makes it one of this cluster; the function that comes back starts it. */
function launcher({ folder }: ClusterPlan, id: number): () => Promise<ServerProcess> {
  const name = id === controllerId ? 'Kafka controller' : `Kafka broker ${id}`;
  return () => startKafkaServer({ name, properties: propertiesFile(folder, id) });
}

function propertiesFile(folder: string, id: number): string {
  return join(folder, `${id}.properties`);
}

function dataFolder(folder: string, id: number): string {
  return join(folder, `${id}`);
}

async function writeProperties({ folder }: ClusterPlan, id: number, properties: string): Promise<void> {
  await writeFile(propertiesFile(folder, id), `${properties}node.id=${id}\nlog.dirs=${dataFolder(folder, id)}\n`);
}

async function prepareController(plan: ClusterPlan): Promise<void> {
  await writeProperties(plan, controllerId, controllerProperties(plan));
  await formatController(dataFolder(plan.folder, controllerId), { clusterId: plan.clusterId, nodeId: controllerId });
}

async function prepareBroker(plan: ClusterPlan, id: number, ports: BrokerPorts): Promise<void> {
  await writeProperties(plan, id, brokerProperties(plan, ports));
  await formatBroker(dataFolder(plan.folder, id), { clusterId: plan.clusterId, nodeId: id });
}

interface NodePlan {
  readonly id: number;
  readonly proxy: Toxiproxy | undefined;
  readonly stack: AsyncDisposableStack;
}

async function startNode(
  plan: ClusterPlan,
  { id, proxy, stack }: NodePlan,
): Promise<KafkaBroker & { readonly port: number }> {
  const clientPort = await lastingPort();
  const way = await proxy?.way(`kafka-${id}`, clientPort);
  const port = way?.port ?? clientPort;
  const ports = { clientPort, port, innerPort: await lastingPort() };
  await prepareBroker(plan, id, ports);
  const launch = launcher(plan, id);
  let server = await launch();
  stack.defer(() => server.kill());
  return {
    id,
    port,
    way,
    kill: () => server.kill(),
    start: async () => {
      await server.kill();
      server = await launch();
    },
    freeze: () => server.freeze(),
    thaw: () => server.thaw(),
  };
}

function controllerProperties(plan: ClusterPlan): string {
  return `process.roles=controller
listeners=CONTROLLER://127.0.0.1:${plan.controllerPort}
broker.session.timeout.ms=${plan.sessionTimeoutMs}
${commonProperties(plan)}`;
}

interface BrokerPorts {
  readonly clientPort: number;
  /** What clients are told. */
  readonly port: number;
  readonly innerPort: number;
}

function brokerProperties(plan: ClusterPlan, { clientPort, port, innerPort }: BrokerPorts): string {
  return `process.roles=broker
listeners=PLAINTEXT://127.0.0.1:${clientPort},INNER://127.0.0.1:${innerPort}
advertised.listeners=PLAINTEXT://127.0.0.1:${port},INNER://127.0.0.1:${innerPort}
inter.broker.listener.name=INNER
broker.heartbeat.interval.ms=${Math.round(plan.sessionTimeoutMs / 6)}
replica.fetch.wait.max.ms=200
replica.lag.time.max.ms=${Math.max(5000, plan.sessionTimeoutMs)}
offsets.topic.num.partitions=4
transaction.state.log.num.partitions=4
group.initial.rebalance.delay.ms=0
group.min.session.timeout.ms=1000
auto.create.topics.enable=false
auto.leader.rebalance.enable=false
${commonProperties(plan)}`;
}

function commonProperties({ count, controllerPort }: ClusterPlan): string {
  const inSync = Math.max(1, count - 1);
  return `controller.quorum.voters=${controllerId}@127.0.0.1:${controllerPort}
controller.listener.names=CONTROLLER
listener.security.protocol.map=PLAINTEXT:PLAINTEXT,INNER:PLAINTEXT,CONTROLLER:PLAINTEXT
default.replication.factor=${count}
min.insync.replicas=${inSync}
offsets.topic.replication.factor=${count}
transaction.state.log.replication.factor=${count}
transaction.state.log.min.isr=${inSync}
share.coordinator.state.topic.replication.factor=${count}
share.coordinator.state.topic.min.isr=${inSync}
`;
}
