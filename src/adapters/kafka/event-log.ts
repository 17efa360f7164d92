import type { Admin, Kafka } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import type {
  EventLog,
  GroupMember,
  GroupSpec,
  LogRecord,
  NewRecord,
  PartitionRange,
  TopicDescription,
  TopicSpec,
  Waiting,
} from '../../ports/event-log.ts';
import { abortable } from '../abortable.ts';
import { AppendQueue } from './append-queue.ts';
import type { FullBroker } from './broker.ts';
import { createKafka, KafkaConnections } from './client.ts';
import type { KafkaEventLogOptions } from './config.ts';
import { fromKafka, topicNotFound } from './errors.ts';
import { KafkaGroupMember } from './group-member.ts';
import { partitionBytes } from './partition-bytes.ts';
import { PartitionLeaders } from './partition-leaders.ts';
import { PartitionReads } from './partition-reads.ts';
import { Producers } from './producers.ts';
import { TopicAdmin } from './topic-admin.ts';
import { TopicDirectory, type KafkaTopic } from './topic-directory.ts';

/** The log on Kafka 3.6 or later. Nothing is asked of the brokers before the first call. */
export function openKafkaEventLog(options: KafkaEventLogOptions): EventLog {
  return new KafkaEventLog(options);
}

class KafkaEventLog implements EventLog {
  readonly #options: KafkaEventLogOptions;
  readonly #connections: KafkaConnections;
  /** Their own: an append that waits for replicas keeps nothing else waiting. */
  readonly #produceConnections: KafkaConnections;
  readonly #directory: TopicDirectory;
  readonly #leaders: PartitionLeaders;
  readonly #reads: PartitionReads;
  readonly #topics: TopicAdmin;
  readonly #producers: Producers;
  readonly #appends: AppendQueue;
  readonly #members = new Set<GroupMember>();
  #closing: Promise<void> | undefined;

  constructor(options: KafkaEventLogOptions) {
    this.#options = options;
    const kafka: Kafka = createKafka(options, options.clientId);
    this.#connections = new KafkaConnections(kafka);
    this.#directory = new TopicDirectory(this.#connections);
    this.#leaders = new PartitionLeaders(this.#connections, this.#directory);
    this.#reads = new PartitionReads(this.#connections, this.#directory);
    const admin: Admin = kafka.admin();
    this.#topics = new TopicAdmin(admin, this.#directory, options.topics);
    this.#produceConnections = new KafkaConnections(kafka);
    this.#producers = new Producers(this.#produceConnections, this.#directory);
    this.#appends = new AppendQueue(this.#producers);
  }

  async createTopic(spec: TopicSpec, { signal }: Waiting): Promise<TopicDescription> {
    return this.#call(signal, `cannot create topic "${spec.name}"`, async () =>
      description(await this.#topics.create(spec, signal)),
    );
  }

  async deleteTopic(name: string, { signal }: Waiting): Promise<void> {
    await this.#call(signal, `cannot delete topic "${name}"`, async () => {
      await this.#topics.delete(name, signal);
      this.#producers.forgetTopic(name);
    });
  }

  async describeTopic(name: string, { signal }: Waiting): Promise<TopicDescription | undefined> {
    return this.#call(signal, `cannot describe topic "${name}"`, async () => {
      const topic = await this.#directory.describe(name);
      return topic && description(topic);
    });
  }

  async listTopics(prefix: string, { signal }: Waiting): Promise<readonly string[]> {
    return this.#call(signal, 'cannot list topics', async () => {
      const topics = await this.#directory.all();
      return topics
        .map(({ name }) => name)
        .filter((name) => name.startsWith(prefix))
        .sort();
    });
  }

  async ranges(topic: string, { signal }: Waiting): Promise<readonly PartitionRange[]> {
    return this.#call(signal, `cannot read the ends of topic "${topic}"`, async () => {
      const { leaders } = await this.#describe(topic);
      const partitions = [...leaders.keys()];
      const [ranges, bytes] = await Promise.all([this.#reads.ranges(topic, partitions), this.#bytes(topic, leaders)]);
      return ranges.map((range, partition) => ({ ...range, bytes: bytes.get(partition) ?? 0 }));
    });
  }

  async offsetForTime(at: TopicPartition, timestamp: number, { signal }: Waiting): Promise<Offset> {
    return this.#call(signal, `cannot look for a time in topic "${at.topic}"`, async () => {
      const found = await this.#reads.offsetAt(at, timestamp);
      return found ?? (await this.#range(at)).end;
    });
  }

  async lastRecord(at: TopicPartition, { signal }: Waiting): Promise<LogRecord | undefined> {
    return this.#call(signal, `cannot read the last record of topic "${at.topic}"`, async () => {
      await this.#describe(at.topic);
      const { first, end } = await this.#range(at);
      // The last offsets may be markers of transactions: further and further back until there is a record.
      for (let back = 1; ; back *= 8) {
        const from = Math.max(first, end - back);
        const last = from < end ? await this.#reads.lastBetween(at, from, end) : undefined;
        if (last !== undefined || from === first) return last;
      }
    });
  }

  async append(at: TopicPartition, records: readonly NewRecord[], { signal }: Waiting): Promise<Offset> {
    return this.#call(signal, `cannot append to topic "${at.topic}"`, async () => {
      if (records.length === 0) return (await this.#range(at)).end;
      // For a topic that is not there an answer at once.
      await this.#directory.leader(at);
      return this.#appends.append(at, records);
    });
  }

  async trim(at: TopicPartition, before: Offset, { signal }: Waiting): Promise<void> {
    await this.#call(signal, `cannot trim topic "${at.topic}"`, async () => {
      const { first, end } = await this.#range(at);
      const offset = Math.min(before, end);
      if (offset <= first) return;
      await this.#leaders.call(at.topic, [at.partition], (broker, own) => {
        const partitions = own.map((partition) => ({ partition, offset: String(offset) }));
        return broker.deleteRecords({ topics: [{ topic: at.topic, partitions }] });
      });
    });
  }

  async join(spec: GroupSpec, { signal }: Waiting): Promise<GroupMember> {
    return this.#call(signal, `cannot join group "${spec.group}"`, async () => {
      const { sessionTimeoutMs = 10_000, heartbeatMs = 1000, topicCheckMs = 1000, clientId } = this.#options;
      const kafka = createKafka(this.#options, `${clientId}-${spec.member}`);
      const member = new KafkaGroupMember({ spec, kafka, sessionTimeoutMs, heartbeatMs, topicCheckMs });
      this.#members.add(member);
      return member;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closing ??= this.#close();
    await this.#closing;
  }

  async #close(): Promise<void> {
    this.#producers.close();
    await this.#appends.idle();
    await Promise.all([...this.#members].map((member) => member[Symbol.asyncDispose]()));
    await Promise.all([this.#produceConnections.close(), this.#topics.close(), this.#connections.close()]);
  }

  /** Asks the brokers; `log.topicNotFound`. */
  async #describe(name: string): Promise<KafkaTopic> {
    const topic = await this.#directory.describe(name);
    if (topic === undefined) throw topicNotFound(name);
    return topic;
  }

  async #range(at: TopicPartition): Promise<Omit<PartitionRange, 'bytes'>> {
    const [range] = await this.#reads.ranges(at.topic, [at.partition]);
    if (range === undefined) throw topicNotFound(at.topic, at.partition);
    return range;
  }

  /** What the leaders tell; a broker that may not or cannot tell counts as nothing. */
  async #bytes(topic: string, leaders: readonly number[]): Promise<ReadonlyMap<number, number>> {
    const partitions = [...leaders.keys()];
    const ask = (broker: FullBroker, own: readonly number[]) => partitionBytes(broker, topic, own);
    const sizes = await this.#leaders.call(topic, partitions, ask).catch(() => []);
    return new Map(sizes.flatMap((size) => [...size]));
  }

  async #call<T>(signal: AbortSignal, what: string, call: () => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    if (this.#closing !== undefined) throw new MillraceError('log.closed', 'the log was used after it was closed');
    try {
      return await abortable(call(), signal);
    } catch (thrown) {
      signal.throwIfAborted();
      throw fromKafka(thrown, what);
    }
  }
}

function description({ name, identity, leaders }: KafkaTopic): TopicDescription {
  return { name, identity, partitions: leaders.length };
}
