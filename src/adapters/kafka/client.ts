import { Kafka, PartitionAssigners, logLevel, type Cluster, type KafkaConfig } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';
import { fullBroker, type FullBroker } from './broker.ts';
import type { KafkaEventLogOptions } from './config.ts';

/** The driver for one log or one member of a group. It logs nothing: what fails comes back as an error. */
export function createKafka(options: KafkaEventLogOptions, clientId: string): Kafka {
  const config: KafkaConfig = {
    brokers: [...options.brokers],
    clientId,
    logLevel: logLevel.NOTHING,
    connectionTimeout: 3000,
    requestTimeout: 30_000,
    // Long enough for a broker that restarts; after that the caller decides.
    retry: { retries: 8, initialRetryTime: 100, maxRetryTime: 2000 },
  };
  return new Kafka({
    ...config,
    ...(options.tls === undefined ? {} : { ssl: options.tls }),
    ...(options.sasl === undefined ? {} : { sasl: options.sasl }),
  });
}

/**
 * Connections to brokers, for requests that kafkajs's producer, consumer and admin client do not offer: to read from a
 * position without a group, and to see topic ids. No topics are registered with it, so a deleted one cannot spoil it.
 */
export class KafkaConnections {
  readonly #cluster: Cluster;
  readonly #disconnect: () => Promise<void>;
  #connected: Promise<void> | undefined;

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

  /** A broker by its id, for example the leader of a partition. */
  async broker(nodeId: number): Promise<FullBroker> {
    await this.#connect();
    const node = { nodeId: String(nodeId) };
    try {
      return fullBroker(await this.#cluster.findBroker(node));
    } catch {
      await this.#cluster.refreshMetadata();
      return fullBroker(await this.#cluster.findBroker(node));
    }
  }

  /** Runs the call on brokers one after another until one answers. */
  async onAnyBroker<T>(call: (broker: FullBroker) => Promise<T>): Promise<T> {
    await this.#connect();
    for (const nodeId of this.#cluster.getNodeIds()) {
      try {
        return await call(fullBroker(await this.#cluster.findBroker({ nodeId: String(nodeId) })));
      } catch {
        continue;
      }
    }
    await this.#cluster.refreshMetadata();
    const [nodeId] = this.#cluster.getNodeIds();
    return call(fullBroker(await this.#cluster.findBroker({ nodeId: String(nodeId) })));
  }

  async coordinator(groupId: string): Promise<FullBroker> {
    await this.#connect();
    return fullBroker(await this.#cluster.findGroupCoordinator({ groupId }));
  }

  async close(): Promise<void> {
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
