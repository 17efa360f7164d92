import { setTimeout as sleep } from 'node:timers/promises';
import { Kafka, PartitionAssigners, logLevel, type Cluster, type KafkaConfig } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';
import { BrokerPanel } from './broker-panel.ts';
import { fullBroker, type FullBroker } from './broker.ts';
import { mendConnectionLeftovers } from './connection-leftovers.ts';
import {
  answerGraceMs,
  leastRequestTimeoutMs,
  otherBrokerAfterMs,
  patienceMs,
  patienceStepMs,
  type KafkaEventLogOptions,
} from './config.ts';
import { DriverSockets } from './driver-sockets.ts';
import { isPassing } from './errors.ts';
import { mendRequestQueues } from './request-queue.ts';

/** The driver for one log or one member of a group, on these sockets. It logs nothing: what fails comes back as an error. */
export function createKafka(options: KafkaEventLogOptions, clientId: string, sockets = new DriverSockets()): Kafka {
  mendRequestQueues();
  mendConnectionLeftovers();
  const config: KafkaConfig = {
    brokers: [...options.brokers],
    clientId,
    logLevel: logLevel.NOTHING,
    socketFactory: sockets.factory,
    connectionTimeout: 3000,
    requestTimeout: requestTimeoutMs(options),
    // KafkaConnections is patient itself, and knows what no patience mends.
    retry: { retries: 1, initialRetryTime: 50, maxRetryTime: 200 },
  };
  return new Kafka({
    ...config,
    ...(options.tls === undefined ? {} : { ssl: options.tls }),
    ...(options.sasl === undefined ? {} : { sasl: options.sasl }),
  });
}

function requestTimeoutMs({ requestTimeoutMs: asked, sessionTimeoutMs = 0 }: KafkaEventLogOptions): number {
  return asked ?? Math.max(leastRequestTimeoutMs, sessionTimeoutMs + answerGraceMs);
}

/**
 * Connections to brokers, for requests that kafkajs's producer, consumer and admin client do not offer: to read from a
 * position without a group, and to see topic ids. No topics are registered with it, so a deleted one cannot spoil it.
 */
export class KafkaConnections {
  readonly #cluster: Cluster;
  readonly #disconnect: () => Promise<void>;
  readonly #closing = new AbortController();
  readonly #panel = new BrokerPanel();
  #connected: Promise<void> | undefined;
  #answering: string | undefined;

  constructor(kafka: Kafka) {
    let cluster: Cluster | undefined;
    // A custom assigner is given the connections of its consumer: kafkajs's public way to them. This one never runs.
    const consumer = kafka.consumer({
      groupId: 'millrace-connections',
      allowAutoTopicCreation: false,
      partitionAssigners: [
        (config) => {
          cluster = config.cluster;
          return PartitionAssigners.roundRobin(config);
        },
      ],
    });
    if (cluster === undefined) throw new MillraceError('internal.bug', 'kafkajs gave no connections to the assigner');
    this.#cluster = cluster;
    this.#disconnect = () => consumer.disconnect();
  }

  get isClosing(): boolean {
    return this.#closing.signal.aborted;
  }

  /** A broker by its id, for example the leader of a partition. Not patient: the caller looks for the leader again. */
  async broker(nodeId: number): Promise<FullBroker> {
    await this.#connect();
    const node = { nodeId: String(nodeId) };
    try {
      return fullBroker(await this.#cluster.findBroker(node));
    } catch (thrown) {
      if (!isPassing(thrown)) throw thrown;
      await this.#cluster.refreshMetadata();
      return fullBroker(await this.#cluster.findBroker(node));
    }
  }

  /**
   * Runs the call on one broker after another until one answers, also while an earlier one takes its time: a broker that hangs
   * holds up nothing. Waits some seconds for one that can be reached. The call may run on several brokers.
   */
  async onAnyBroker<T>(call: (broker: FullBroker) => Promise<T>): Promise<T> {
    return this.patiently(async () => {
      await this.#connect();
      const asked: Promise<T>[] = [];
      for (const nodeId of this.#nodes()) {
        asked.push(this.#ask(nodeId, call));
        const outcome = await withinMs(Promise.any(asked), otherBrokerAfterMs);
        if (outcome.kind === 'answered') return outcome.value;
      }
      try {
        return await Promise.any(asked);
      } catch (thrown) {
        await this.#cluster.refreshMetadata();
        throw thrown instanceof AggregateError ? thrown.errors.at(-1) : thrown;
      }
    });
  }

  /**
   * Runs the call on every broker at once, and gives the answers of those that are there soon after the first: a broker that is dead or
   * hangs is not waited for. Waits some seconds for one that can be reached.
   */
  async onAllBrokers<T>(call: (broker: FullBroker) => Promise<T>): Promise<readonly T[]> {
    return this.patiently(async () => {
      await this.#connect();
      try {
        return await this.#panel.ask(this.#nodes(), (nodeId) => this.#ask(nodeId, call));
      } catch (thrown) {
        await this.#cluster.refreshMetadata();
        throw thrown;
      }
    });
  }

  /** The one that answered last comes first. */
  #nodes(): readonly string[] {
    const nodes = this.#cluster.getNodeIds().map(String);
    return nodes.sort((a, b) => Number(b === this.#answering) - Number(a === this.#answering));
  }

  async #ask<T>(nodeId: string, call: (broker: FullBroker) => Promise<T>): Promise<T> {
    const answer = await call(fullBroker(await this.#cluster.findBroker({ nodeId })));
    this.#answering = nodeId;
    return answer;
  }

  /** The broker that keeps the group's membership and offsets. */
  async coordinator(groupId: string): Promise<FullBroker> {
    await this.#connect();
    return fullBroker(await this.#cluster.findGroupCoordinator({ groupId }));
  }

  /** Repeats the work while brokers cannot be reached, for some seconds: a broker that restarts is no failure. */
  async patiently<T>(work: () => Promise<T>): Promise<T> {
    for (const deadline = performance.now() + patienceMs; ;) {
      try {
        return await work();
      } catch (thrown) {
        const { signal } = this.#closing;
        if (signal.aborted || !isPassing(thrown) || performance.now() > deadline) throw thrown;
        await sleep(patienceStepMs, undefined, { signal }).catch(() => undefined);
      }
    }
  }

  /** From now on nothing is waited for: calls to brokers that are away fail at once. */
  giveUp(): void {
    this.#closing.abort();
  }

  async close(): Promise<void> {
    this.giveUp();
    await this.#connected?.catch(() => undefined);
    await this.#disconnect();
  }

  async #connect(): Promise<void> {
    this.#connected ??= this.#cluster.connect().then(() => this.#cluster.refreshMetadata());
    try {
      await this.#connected;
    } catch (thrown) {
      this.#connected = undefined;
      throw thrown;
    }
  }
}

type Outcome<T> = { readonly kind: 'answered'; readonly value: T } | { readonly kind: 'failed' | 'late' };

/** Never rejects. */
async function withinMs<T>(work: Promise<T>, ms: number): Promise<Outcome<T>> {
  const { promise: late, resolve } = Promise.withResolvers<Outcome<T>>();
  const timer = setTimeout(() => resolve({ kind: 'late' }), ms);
  const settled = work.then(
    (value): Outcome<T> => ({ kind: 'answered', value }),
    (): Outcome<T> => ({ kind: 'failed' }),
  );
  try {
    return await Promise.race([settled, late]);
  } finally {
    clearTimeout(timer);
  }
}
