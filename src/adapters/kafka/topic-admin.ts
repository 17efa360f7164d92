import { setTimeout as sleep } from 'node:timers/promises';
import kafkajs, { type Admin } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TopicSpec } from '../../ports/event-log.ts';
import type { KafkaConnections } from './client.ts';
import { batchOverheadBytes, brokersOwnReplication, type KafkaCompression, type KafkaTopicPolicy } from './config.ts';
import { kafkaErrorType, reasonOfTopic, topicNotFound } from './errors.ts';
import type { KafkaTopic } from './newest-leaders.ts';
import type { TopicDirectory } from './topic-directory.ts';

/** How often a broker is asked whether it knows of a change that the controller has made. */
const propagationCheckMs = 20;

interface TopicAdminParts {
  readonly admin: Admin;
  readonly connections: KafkaConnections;
  readonly directory: TopicDirectory;
  readonly policy?: KafkaTopicPolicy | undefined;
  /** Of the batches that will be appended. */
  readonly compression?: KafkaCompression | undefined;
}

/** Makes and deletes topics; brokers learn of it a moment after the controller, and this waits for them. */
export class TopicAdmin {
  readonly #admin: Admin;
  readonly #connections: KafkaConnections;
  readonly #policy: KafkaTopicPolicy;
  readonly #compression: KafkaCompression;
  readonly #directory: TopicDirectory;
  #connected: Promise<void> | undefined;

  constructor({ admin, connections, directory, policy = {}, compression = 'none' }: TopicAdminParts) {
    this.#policy = policy;
    this.#compression = compression;
    this.#connections = connections;
    this.#admin = admin;
    this.#directory = directory;
  }

  /** `log.topicExists` when it is there with another number of partitions. */
  async create(spec: TopicSpec, signal: AbortSignal): Promise<KafkaTopic> {
    const present = (await this.#directory.describe(spec.name)) ?? (await this.#make(spec, this.#policy, signal));
    if (present.leaders.length === spec.partitions) return present;
    const { name, partitions } = spec;
    const message = `topic "${name}" exists with ${present.leaders.length} partitions, asked for ${partitions}`;
    throw new MillraceError('log.topicExists', message, { details: { topic: name, partitions } });
  }

  /** The same of a topic from which Kafka never removes anything, and however many partitions it has. */
  async createLasting(spec: TopicSpec, signal: AbortSignal): Promise<KafkaTopic> {
    const { replication, minInSyncReplicas } = this.#policy;
    const present = await this.#directory.describe(spec.name);
    return present ?? this.#make(spec, { replication, minInSyncReplicas }, signal);
  }

  /** Adds partitions up to this number and waits for their leaders; `log.topicNotFound`. */
  async grow(name: string, partitions: number, signal: AbortSignal): Promise<KafkaTopic> {
    const present = await this.#directory.describe(name);
    if (present === undefined) throw topicNotFound(name);
    if (present.leaders.length >= partitions) return present;
    // Any broker passes it on to the controller, and a repeated request does nothing; so no broker that hangs is waited
    // for.
    await this.#connections.onAnyBroker(async (broker) => {
      try {
        await broker.createPartitions({ topicPartitions: [{ topic: name, count: partitions }] });
      } catch (thrown) {
        // Somebody else has added as many, or more, meanwhile.
        if (kafkaErrorType(thrown) !== 'INVALID_PARTITIONS') throw thrown;
      }
    });
    for (;;) {
      const topic = await this.#directory.describe(name);
      if (topic === undefined) throw topicNotFound(name);
      if (topic.leaders.length >= partitions && topic.leaders.every((leader) => leader >= 0)) return topic;
      await sleep(propagationCheckMs, undefined, { signal });
    }
  }

  async delete(name: string, signal: AbortSignal): Promise<void> {
    const present = await this.#directory.describe(name);
    if (present === undefined) return;
    await this.#connect();
    try {
      await this.#admin.deleteTopics({ topics: [name] });
    } catch (thrown) {
      if (kafkaErrorType(thrown) !== 'UNKNOWN_TOPIC_OR_PARTITION') throw thrown;
    }
    while ((await this.#directory.describe(name))?.identity === present.identity) {
      await sleep(propagationCheckMs, undefined, { signal });
    }
  }

  /** All settings of a topic, with those that it has from its brokers. */
  async settings(name: string): Promise<ReadonlyMap<string, string>> {
    await this.#connect();
    const resources = [{ type: kafkajs.ConfigResourceTypes.TOPIC, name }];
    const described = await this.#admin.describeConfigs({ includeSynonyms: false, resources });
    const entries = described.resources.flatMap(({ configEntries }) => configEntries);
    return new Map(entries.map(({ configName, configValue }) => [configName, configValue]));
  }

  async close(): Promise<void> {
    await this.#connected?.catch(() => undefined);
    await this.#admin.disconnect();
  }

  async #make(
    { name, partitions, maxRecordBytes }: TopicSpec,
    { replication, minInSyncReplicas, retentionMs, retentionBytes, maxAppendBytes }: KafkaTopicPolicy,
    signal: AbortSignal,
  ): Promise<KafkaTopic> {
    await this.#connect();
    const configEntries = [
      { name: 'cleanup.policy', value: 'delete' },
      { name: 'retention.ms', value: String(retentionMs ?? -1) },
      { name: 'retention.bytes', value: String(retentionBytes ?? -1) },
      // Arrival times are those of the product, even if its clock runs ahead of the brokers'.
      { name: 'message.timestamp.type', value: 'CreateTime' },
      { name: 'message.timestamp.after.max.ms', value: '9223372036854775807' },
    ];
    // Whoever asks for a codec has it kept, whatever the brokers do to batches unless they are told.
    if (this.#compression !== 'none') configEntries.push({ name: 'compression.type', value: 'producer' });
    const maxBytes = maxAppendBytes ?? maxRecordBytes;
    if (maxBytes !== undefined)
      configEntries.push({ name: 'max.message.bytes', value: String(maxBytes + batchOverheadBytes) });
    if (minInSyncReplicas !== undefined)
      configEntries.push({ name: 'min.insync.replicas', value: String(minInSyncReplicas) });
    const replicationFactor = replication ?? brokersOwnReplication;
    const topic = { topic: name, numPartitions: partitions, replicationFactor, configEntries };
    try {
      // False: somebody else has made it meanwhile.
      await this.#admin.createTopics({ waitForLeaders: false, topics: [topic] });
    } catch (thrown) {
      throw reasonOfTopic(thrown);
    }
    for (;;) {
      const topic = await this.#directory.describe(name);
      if (topic?.leaders.every((leader) => leader >= 0) === true) return topic;
      await sleep(propagationCheckMs, undefined, { signal });
    }
  }

  async #connect(): Promise<void> {
    this.#connected ??= this.#admin.connect();
    try {
      await this.#connected;
    } catch (thrown) {
      this.#connected = undefined;
      throw thrown;
    }
  }
}
