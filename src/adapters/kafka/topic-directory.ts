import type { TopicPartition } from '../../core/offset.ts';
import { sendRaw, type FullBroker } from './broker.ts';
import type { KafkaConnections } from './client.ts';
import { BrokerError } from './error-codes.ts';
import { topicNotFound } from './errors.ts';
import { withNewestLeaders, type KafkaTopic } from './newest-leaders.ts';
import { WireReader, WireWriter } from './wire.ts';

/** How long a leader is believed without asking. */
const leadersValidMs = 30_000;

/** Topics, their ids and the leaders of their partitions. kafkajs asks for topics in a version that has no ids. */
export class TopicDirectory {
  readonly #connections: KafkaConnections;
  readonly #known = new Map<string, { readonly topic: KafkaTopic; readonly asOf: number }>();

  /** Topics that were seen, including those whose leaders are no longer believed. */
  readonly #identities = new Map<string, string>();
  /** As they were last known; their leaders are believed until newer ones are heard of. */
  readonly #newest = new Map<string, KafkaTopic>();
  readonly #asking = new Map<string, Promise<KafkaTopic | undefined>>();

  constructor(connections: KafkaConnections) {
    this.#connections = connections;
  }

  /**
   * As the brokers know it now; undefined when there is none. Rejects when they do not tell, for example because a
   * right is missing.
   */
  async describe(name: string): Promise<KafkaTopic | undefined> {
    const [topic] = await this.#ask([name], refuseRefusals);
    return topic;
  }

  /**
   * The same, asked of all brokers: with the most partitions that any of them knows, because one that is behind tells of those that
   * there were. Where they know different topics of that name, the one that most of them know.
   */
  async describeFully(name: string): Promise<KafkaTopic | undefined> {
    const answers = await this.#connections.onAllBrokers(async (broker) => {
      const answered = await askForTopics(broker, [name]);
      refuseRefusals(answered);
      return answered.topics;
    });
    const topic = fullest(answers.flat());
    return this.#noted([name], topic === undefined ? [] : [topic])[0];
  }

  /** Those of the topics that exist and may be seen: a topic that may not be seen must not hide the others. */
  async existing(names: readonly string[]): Promise<readonly KafkaTopic[]> {
    return names.length === 0 ? [] : this.#ask(names);
  }

  /** What all brokers of one cluster call it; empty when they say nothing. */
  async clusterId(): Promise<string> {
    return (await this.#connections.onAnyBroker((broker) => askForTopics(broker, []))).clusterId;
  }

  async all(): Promise<readonly KafkaTopic[]> {
    return this.#ask(undefined);
  }

  /** The topic, perhaps as it was some seconds ago; `log.topicNotFound`. */
  async topic(name: string): Promise<KafkaTopic> {
    const known = this.#known.get(name);
    if (known !== undefined && performance.now() - known.asOf < leadersValidMs) return known.topic;
    // Whoever asks meanwhile shares the answer: after a broker went, all partitions ask at once.
    let asked = this.#asking.get(name);
    if (asked === undefined) {
      asked = this.describe(name).finally(() => this.#asking.delete(name));
      this.#asking.set(name, asked);
    }
    const topic = await asked;
    if (topic === undefined) throw topicNotFound(name);
    return topic;
  }

  /** Node id of the partition's leader; `log.topicNotFound`, and LEADER_NOT_AVAILABLE while it has none. */
  async leader({ topic: name, partition }: TopicPartition): Promise<number> {
    const known = (await this.topic(name)).leaders[partition];
    if (known !== undefined && known >= 0) return known;
    this.forget(name);
    const leader = (await this.topic(name)).leaders[partition] ?? (await this.describeFully(name))?.leaders[partition];
    if (leader === undefined) throw topicNotFound(name, partition);
    if (leader >= 0) return leader;
    throw new BrokerError(5, `partition ${partition} of topic "${name}" has no leader now`);
  }

  /** The identity that the topic had when it was last seen. */
  lastIdentity(name: string): string | undefined {
    return this.#identities.get(name);
  }

  /** Makes the next question go to the brokers. */
  forget(name: string): void {
    this.#known.delete(name);
  }

  async #ask(
    names: readonly string[] | undefined,
    check: (answered: Answered) => void = () => undefined,
  ): Promise<readonly KafkaTopic[]> {
    const topics = await this.#connections.onAnyBroker(async (broker) => {
      const answered = await askForTopics(broker, names);
      check(answered);
      return answered.topics;
    });
    return this.#noted(names, topics);
  }

  /** The topics with the newest leaders that were heard of. */
  #noted(names: readonly string[] | undefined, told: readonly KafkaTopic[]): readonly KafkaTopic[] {
    const topics = told.map((topic) => withNewestLeaders(topic, this.#newest.get(topic.name)));
    for (const name of names ?? []) {
      this.#known.delete(name);
      this.#identities.delete(name);
      this.#newest.delete(name);
    }
    for (const topic of topics) {
      this.#identities.set(topic.name, topic.identity);
      this.#newest.set(topic.name, topic);
    }
    const asOf = performance.now();
    if (names !== undefined) for (const topic of topics) this.#known.set(topic.name, { topic, asOf });
    return topics;
  }
}

/** Of one topic as several brokers know it. */
function fullest(answers: readonly KafkaTopic[]): KafkaTopic | undefined {
  const votes = Map.groupBy(answers, ({ identity }) => identity);
  const [most = []] = [...votes.values()].sort((a, b) => b.length - a.length);
  return most.reduce<KafkaTopic | undefined>((full, topic) => withNewestLeaders(full ?? topic, topic), undefined);
}

interface Answered {
  /** Empty for brokers that say none. */
  readonly clusterId: string;
  readonly topics: readonly KafkaTopic[];
  /** What the broker said instead of showing a topic that may be there. */
  readonly refusals: readonly BrokerError[];
}

/** Rejected within the question, so that a failure that passes is asked for again. */
function refuseRefusals({ refusals: [refusal] }: Answered): void {
  if (refusal !== undefined) throw refusal;
}

const [unknownTopic, invalidTopic] = [3, 17];

/** Metadata in version 12, the first that every broker since Kafka 3.1 answers with topic ids. */
export function askForTopics(broker: FullBroker, names: readonly string[] | undefined): Promise<Answered> {
  const request = new WireWriter().noTaggedFields().compactLength(names?.length);
  for (const name of names ?? []) request.zeros(16).compactString(name).noTaggedFields();
  const [mayCreate, withOperations] = [0, 0];
  request.int8(mayCreate).int8(withOperations).noTaggedFields();
  return sendRaw(broker, { apiKey: 3, apiVersion: 12, apiName: 'Metadata', bytes: request.bytes(), read: readTopics });
}

function readTopics(bytes: Buffer): Answered {
  const response = new WireReader(bytes);
  response.skipTaggedFields();
  response.int32(); // throttle time
  response.compactArray((broker) => {
    broker.int32(); // node id
    broker.compactString(); // host
    broker.int32(); // port
    broker.compactString(); // rack
    broker.skipTaggedFields();
  });
  const clusterId = response.compactString();
  response.int32(); // controller
  const topics = response.compactArray((topic) => {
    const error = topic.int16();
    const name = topic.compactString();
    const identity = topic.uuid();
    topic.int8(); // internal
    const partitions = topic.compactArray(readPartition);
    topic.int32(); // operations
    topic.skipTaggedFields();
    partitions.sort((a, b) => a.partition - b.partition);
    const [leaders, epochs] = [partitions.map(({ leader }) => leader), partitions.map(({ epoch }) => epoch)];
    return { error, name, identity, leaders, epochs };
  });
  return {
    clusterId,
    topics: topics.flatMap(({ error, ...topic }) => (error === 0 && topic.leaders.length > 0 ? [topic] : [])),
    refusals: topics
      .filter(({ error }) => error !== 0 && error !== unknownTopic && error !== invalidTopic)
      .map(({ error, name }) => new BrokerError(error, `the broker does not show topic "${name}"`)),
  };
}

interface LedPartition {
  readonly partition: number;
  readonly leader: number;
  readonly epoch: number;
}

function readPartition(response: WireReader): LedPartition {
  response.int16(); // error: a partition without a leader has none
  const partition = response.int32();
  const leader = response.int32();
  const epoch = response.int32();
  for (const _ of ['replicas', 'in sync', 'offline']) response.compactArray((node) => node.int32());
  response.skipTaggedFields();
  return { partition, leader, epoch };
}
