import { setTimeout as sleep } from 'node:timers/promises';
import type { Admin, Kafka } from 'kafkajs';
import type { InstallationId } from '../../core/installation-id.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import type { EpochEnd } from '../../core/progress/cut.ts';
import type { RetentionLimits } from '../../core/retention-limits.ts';
import { topicChanged } from '../../core/topic-changed.ts';
import {
  listOf,
  type AppendOptions,
  type AppendTarget,
  type EventLog,
  type GroupMember,
  type GroupSpec,
  type IdentifiedPartition,
  type LogRecord,
  type NewRecord,
  type NewRecords,
  type PartitionCondition,
  type PartitionEnds,
  type PartitionRange,
  type RecordBatch,
  type TopicDescription,
  type TopicSpec,
} from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { abortable } from '../../core/abortable.ts';
import { Closing } from '../closing.ts';
import { appendCarrier } from './append-carrier.ts';
import { AppendQueue } from './append-queue.ts';
import type { FullBroker } from './broker.ts';
import { createKafka, KafkaConnections } from './client.ts';
import {
  appendPatienceMs,
  batchOverheadBytes,
  installationTopic,
  maxBatchBytes,
  type KafkaEventLogOptions,
} from './config.ts';
import { DriverSockets } from './driver-sockets.ts';
import { fromKafka, topicNotFound } from './errors.ts';
import { KafkaGroupMember } from './group-member.ts';
import { InstallationMark } from './installation-mark.ts';
import { partitionBytes } from './partition-bytes.ts';
import { LeaderRequests } from './leader-requests.ts';
import { PartitionLeaders } from './partition-leaders.ts';
import { PartitionReads } from './partition-reads.ts';
import { Producers } from './producers.ts';
import type { BatchCompression } from './record-batch.ts';
import { TopicAdmin } from './topic-admin.ts';
import { TopicRetention } from './topic-retention.ts';
import type { KafkaTopic } from './newest-leaders.ts';
import { TopicDirectory } from './topic-directory.ts';

/** The log on Kafka 3.6 or later. Nothing is asked of the brokers before the first call. */
export function openKafkaEventLog(options: KafkaEventLogOptions): EventLog {
  return new KafkaEventLog(options);
}

class KafkaEventLog implements EventLog {
  readonly #options: KafkaEventLogOptions;
  readonly #sockets = new DriverSockets();
  readonly #connections: KafkaConnections;
  /** Their own: an append that waits for replicas keeps nothing else waiting. */
  readonly #produceConnections: KafkaConnections;
  readonly #directory: TopicDirectory;
  readonly #leaders: PartitionLeaders;
  readonly #reads: PartitionReads;
  readonly #topics: TopicAdmin;
  readonly #retention: TopicRetention;
  readonly #producers: Producers;
  readonly #requests: LeaderRequests;
  readonly #appends: AppendQueue;
  readonly #mark: InstallationMark;
  readonly #members = new Set<GroupMember>();
  readonly #closing = new Closing('the log', 'log.closed');

  constructor(options: KafkaEventLogOptions) {
    this.#options = options;
    const kafka: Kafka = createKafka(options, options.clientId, this.#sockets);
    this.#connections = new KafkaConnections(kafka);
    this.#directory = new TopicDirectory(this.#connections);
    this.#leaders = new PartitionLeaders(this.#connections, this.#directory);
    this.#reads = new PartitionReads(this.#connections, this.#directory, options.answers);
    const admin: Admin = kafka.admin();
    this.#topics = new TopicAdmin({
      admin,
      connections: this.#connections,
      directory: this.#directory,
      policy: options.topics,
      compression: options.compression,
    });
    this.#retention = new TopicRetention((name) => this.#topics.settings(name));
    this.#produceConnections = new KafkaConnections(kafka);
    this.#producers = new Producers(this.#produceConnections, compressionOf(options));
    this.#requests = new LeaderRequests(this.#produceConnections, this.#directory, options.answers);
    this.#appends = new AppendQueue(
      appendCarrier({
        producers: this.#producers,
        requests: this.#requests,
        directory: this.#directory,
        connections: this.#connections,
      }),
      options.observer,
    );
    this.#mark = this.#markOf(options.installationTopic ?? installationTopic);
  }

  async createTopic(spec: TopicSpec, { signal }: Waiting): Promise<TopicDescription> {
    return this.#call(signal, `cannot create topic "${spec.name}"`, async () =>
      description(await this.#topics.create(spec, signal)),
    );
  }

  async growTopic(name: string, partitions: number, { signal }: Waiting): Promise<TopicDescription> {
    return this.#call(signal, `cannot add partitions to topic "${name}"`, async () =>
      description(await this.#topics.grow(name, partitions, signal)),
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
      const { leaders } = await this.#describeFully(topic);
      const partitions = [...leaders.keys()];
      const [ranges, bytes] = await Promise.all([this.#reads.ranges(topic, partitions), this.#bytes(topic, leaders)]);
      return ranges.map((range, partition) => ({ ...range, bytes: bytes.get(partition) ?? 0 }));
    });
  }

  async range(at: TopicPartition, { signal }: Waiting): Promise<PartitionEnds> {
    return this.#call(signal, `cannot read the end of partition ${at.partition} of topic "${at.topic}"`, async () => {
      await this.#describeFully(at.topic);
      return this.#range(at);
    });
  }

  async offsetForTime(at: TopicPartition, timestamp: number, { signal }: Waiting): Promise<Offset> {
    return this.#call(signal, `cannot look for a time in topic "${at.topic}"`, async () => {
      const found = await this.#reads.offsetAt(at, timestamp);
      return found ?? (await this.#range(at)).stableEnd;
    });
  }

  async removal(topic: string, { signal }: Waiting): Promise<RetentionLimits | undefined> {
    return this.#call(signal, `cannot read the retention of topic "${topic}"`, () => this.#retention.of(topic));
  }

  async epochEnd(at: IdentifiedPartition, epoch: number, { signal }: Waiting): Promise<EpochEnd | undefined> {
    return this.#call(signal, `cannot compare epochs of topic "${at.topic}"`, async () => {
      // The request names no id, and a topic that was made anew has epochs of its own.
      await this.#checkIdentity(at);
      return this.#reads.epochEnd(at, epoch);
    });
  }

  async lastRecord(at: TopicPartition, { signal }: Waiting): Promise<LogRecord | undefined> {
    return this.#call(signal, `cannot read the last record of topic "${at.topic}"`, async () => {
      await this.#describe(at.topic);
      const { first, stableEnd: end } = await this.#range(at);
      // The last offsets may be markers of transactions: further and further back until there is a record.
      for (let back = 1; ; back *= 8) {
        const from = Math.max(first, end - back);
        const last = from < end ? await this.#reads.lastBetween(at, from, end) : undefined;
        if (last !== undefined || from === first) return last;
      }
    });
  }

  async read(at: IdentifiedPartition, from: Offset, { signal }: Waiting): Promise<RecordBatch> {
    return this.#call(signal, `cannot read topic "${at.topic}"`, async () => {
      await this.#checkIdentity(at);
      return this.#reads.batchAt({ ...at, offset: from });
    });
  }

  async append(at: AppendTarget, records: NewRecords, options: AppendOptions): Promise<Offset> {
    return this.#call(options.signal, `cannot append to topic "${at.topic}"`, async () => {
      if (records.length === 0) return (await this.#range(at)).durableEnd;
      const { identity } = at;
      return identity === undefined
        ? this.#appendToAny(at, listOf(records), options)
        : this.#appendTo({ ...at, identity }, listOf(records), options);
    });
  }

  condition(at: TopicPartition): PartitionCondition {
    return this.#appends.condition(at);
  }

  /** To whichever existence the topic has; a batch that one of them refuses because it is gone goes to the next. */
  async #appendToAny(at: TopicPartition, records: readonly NewRecord[], options: AppendOptions): Promise<Offset> {
    const since = performance.now();
    let identity = this.#directory.lastIdentity(at.topic) ?? (await this.#identity(at, options));
    for (;;) {
      try {
        return await this.#appends.append({ ...at, identity }, records, lessThan(options, performance.now() - since));
      } catch (thrown) {
        if (!(thrown instanceof MillraceError) || thrown.code !== 'progress.topicChanged') throw thrown;
        this.#directory.forget(at.topic);
        identity = await this.#identity(at, lessThan(options, performance.now() - since));
      }
    }
  }

  /** The topic's own, asked of the brokers; `log.refused` when they do not say in time. */
  async #identity(at: TopicPartition, { withinMs = appendPatienceMs }: AppendOptions): Promise<string> {
    const waiting = new AbortController();
    const late = sleep(withinMs, undefined, { signal: waiting.signal }).then(() => {
      throw refusedUnsent(at, new Error('no broker has told in time what it is'));
    });
    late.catch(() => undefined);
    try {
      return (await Promise.race([this.#directory.topic(at.topic), late])).identity;
    } catch (thrown) {
      if (thrown instanceof MillraceError) throw thrown;
      throw refusedUnsent(at, thrown);
    } finally {
      waiting.abort();
    }
  }

  async #appendTo(at: IdentifiedPartition, records: readonly NewRecord[], options: AppendOptions): Promise<Offset> {
    const known = this.#directory.lastIdentity(at.topic) ?? (await this.#identity(at, options));
    if (known !== at.identity) await this.#checkIdentity(at);
    const offset = await this.#appends.append(at, records, options);
    if (this.#requests.hasSentNames) await this.#checkIdentity(at);
    return offset;
  }

  /** Asks the brokers; `log.topicNotFound`, `progress.topicChanged`. */
  async #checkIdentity(at: IdentifiedPartition): Promise<void> {
    const { identity } = await this.#describe(at.topic);
    if (identity !== at.identity) throw topicChanged({ topic: at.topic, identity }, at.identity);
  }

  async trim(at: IdentifiedPartition, before: Offset, { signal }: Waiting): Promise<void> {
    await this.#call(signal, `cannot trim topic "${at.topic}"`, async () => {
      const { first, stableEnd } = await this.#range(at);
      const offset = Math.min(before, stableEnd);
      await this.#checkIdentity(at);
      if (offset <= first) return;
      await this.#leaders.call(at.topic, [at.partition], (broker, own) => {
        const partitions = own.map((partition) => ({ partition, offset: String(offset) }));
        return broker.deleteRecords({ topics: [{ topic: at.topic, partitions }] });
      });
    });
  }

  location({ signal }: Waiting): Promise<string | undefined> {
    return this.#call(signal, 'cannot read which cluster it is', async () => {
      const id = await this.#directory.clusterId();
      return id === '' ? undefined : `Kafka cluster "${id}"`;
    });
  }

  claimant({ signal }: Waiting): Promise<InstallationId | undefined> {
    return this.#call(signal, 'cannot read whose the topics are', () => this.#mark.read());
  }

  claim(installation: InstallationId, { signal }: Waiting): Promise<InstallationId> {
    return this.#call(signal, 'cannot write whose the topics are', () => this.#mark.write(installation, signal));
  }

  async join(spec: GroupSpec, { signal }: Waiting): Promise<GroupMember> {
    return this.#call(signal, `cannot join group "${spec.group}"`, async () => {
      const { sessionTimeoutMs = 10_000, heartbeatMs = 1000, topicCheckMs = 1000, clientId } = this.#options;
      const sockets = new DriverSockets();
      const kafka = createKafka(this.#options, `${clientId}-${spec.member}`, sockets);
      const member = new KafkaGroupMember({
        spec,
        kafka,
        sockets,
        sessionTimeoutMs,
        heartbeatMs,
        topicCheckMs,
        answers: this.#options.answers,
      });
      this.#members.add(member);
      return member;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closing.once(() => this.#close());
  }

  async #close(): Promise<void> {
    this.#appends.close();
    await this.#appends.idle();
    await Promise.all([...this.#members].map((member) => member[Symbol.asyncDispose]()));
    const all = [this.#produceConnections.close(), this.#topics.close(), this.#connections.close()];
    await this.#sockets.endAfter(Promise.all(all));
  }

  #markOf(topic: string): InstallationMark {
    return new InstallationMark({
      topic,
      topics: this.#topics,
      directory: this.#directory,
      reads: this.#reads,
      append: (record, signal) => this.append({ topic, partition: 0 }, [record], { signal }),
    });
  }

  /** Asks the brokers; `log.topicNotFound`. */
  async #describe(name: string): Promise<KafkaTopic> {
    const topic = await this.#directory.describe(name);
    if (topic === undefined) throw topicNotFound(name);
    return topic;
  }

  /** Asks all brokers, so that those which lead now are known; `log.topicNotFound`. */
  async #describeFully(name: string): Promise<KafkaTopic> {
    const topic = await this.#directory.describeFully(name);
    if (topic === undefined) throw topicNotFound(name);
    return topic;
  }

  async #range(at: TopicPartition): Promise<PartitionEnds> {
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
    this.#closing.check(signal);
    try {
      return await abortable(call(), signal);
    } catch (thrown) {
      signal.throwIfAborted();
      throw fromKafka(thrown, what);
    }
  }
}

function compressionOf({ compression = 'none', topics }: KafkaEventLogOptions): BatchCompression {
  const largest = topics?.maxAppendBytes ?? Number.POSITIVE_INFINITY;
  return { type: compression, upToBytes: Math.min(maxBatchBytes, largest + batchOverheadBytes) };
}

function description({ name, identity, leaders }: KafkaTopic): TopicDescription {
  return { name, identity, partitions: leaders.length };
}

/** Nothing of the append was sent. */
function refusedUnsent({ topic, partition }: TopicPartition, cause: unknown): MillraceError {
  const reason = messageOf(cause);
  return new MillraceError('log.refused', `cannot append to topic "${topic}": ${reason}`, {
    cause,
    details: { topic, partition },
  });
}

/** What is left of the time that an append may take. */
function lessThan(options: AppendOptions, pastMs: number): AppendOptions {
  const withinMs = Math.max(0, (options.withinMs ?? appendPatienceMs) - pastMs);
  return { ...options, withinMs };
}
