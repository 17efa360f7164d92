import { PartitionAssigners, type Consumer, type Kafka } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import { fromKafka, kafkaErrorType } from './errors.ts';
import type { TopicDirectory } from './topic-directory.ts';

/** What happened to a member; the loop that polls takes it from a queue. */
export type MembershipFact =
  | { readonly kind: 'assigned'; readonly partitions: readonly TopicPartition[] }
  | { readonly kind: 'failed'; readonly error: Error };

export interface MembershipOptions {
  readonly kafka: Kafka;
  readonly directory: TopicDirectory;
  readonly group: string;
  readonly sessionTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly topicCheckMs: number;
  readonly onFact: (fact: MembershipFact) => void;
}

/** What a group goes through when a broker has started, a coordinator has moved or a topic was deleted. */
const passing: ReadonlySet<string | undefined> = new Set([
  'GROUP_LOAD_IN_PROGRESS',
  'GROUP_COORDINATOR_NOT_AVAILABLE',
  'NOT_COORDINATOR_FOR_GROUP',
  'REBALANCE_IN_PROGRESS',
  'ILLEGAL_GENERATION',
  'UNKNOWN_MEMBER_ID',
  'UNKNOWN_TOPIC_OR_PARTITION',
  'LEADER_NOT_AVAILABLE',
]);
/** After so many consumers in a row that ended with one of these, it is a failure all the same. */
const maxPassing = 20;

interface Running {
  readonly consumer: Consumer;
  /** Names and ids of the topics it was started with. */
  readonly topics: string;
  failed: boolean;
}

/**
 * Membership in a group, by a kafkajs consumer that fetches nothing: all it does is join, heartbeat and say what it was
 * assigned. kafkajs takes topics only before a consumer starts, and only those that exist; so a consumer is replaced
 * when the wanted topics, or which of them exist, have changed, and when it crashed.
 */
export class Membership {
  readonly #options: MembershipOptions;
  readonly #closing = new AbortController();
  readonly #loop: Promise<void>;
  #wanted: readonly string[] = [];
  #running: Running | undefined;
  #passed = 0;
  #kick: () => void = () => undefined;

  constructor(options: MembershipOptions) {
    this.#options = options;
    this.#loop = this.#run();
  }

  subscribe(topics: readonly string[]): void {
    this.#wanted = [...new Set(topics)].sort();
    this.#kick();
  }

  /** Notes the offset with the group, as far as this member is one at the moment. */
  async commit({ topic, partition }: TopicPartition, offset: Offset): Promise<void> {
    // A hint for lag: when the group is rebalancing or this member is not in it, the next commit says it.
    await this.#running?.consumer.commitOffsets([{ topic, partition, offset: String(offset) }]).catch(() => undefined);
  }

  /** Leaves the group. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#kick();
    await this.#loop;
    await this.#stop();
  }

  async #run(): Promise<void> {
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const { promise: kicked, resolve } = Promise.withResolvers<void>();
      this.#kick = resolve;
      try {
        await this.#adjust();
      } catch (thrown) {
        this.#fail(thrown);
      }
      const timer = setTimeout(resolve, this.#options.topicCheckMs);
      await kicked;
      clearTimeout(timer);
    }
  }

  async #adjust(): Promise<void> {
    const existing = await this.#options.directory.existing(this.#wanted);
    const topics = existing.map(({ name, identity, leaders }) => `${name} ${identity} ${leaders.length}`).join();
    if (this.#running?.topics === topics && !this.#running.failed) return;
    const hadTopics = this.#running !== undefined;
    await this.#stop();
    if (this.#closing.signal.aborted) return;
    if (existing.length > 0)
      await this.#start(
        existing.map(({ name }) => name),
        topics,
      );
    else if (hadTopics) this.#options.onFact({ kind: 'assigned', partitions: [] });
  }

  async #start(names: string[], topics: string): Promise<void> {
    const { kafka, group, sessionTimeoutMs, heartbeatMs, onFact } = this.#options;
    const consumer = kafka.consumer({
      groupId: group,
      sessionTimeout: sessionTimeoutMs,
      rebalanceTimeout: sessionTimeoutMs,
      heartbeatInterval: heartbeatMs,
      // How long the consumer, which has nothing to fetch, sleeps between two looks at its heartbeat.
      maxWaitTimeInMs: Math.min(heartbeatMs, 250),
      allowAutoTopicCreation: false,
      partitionAssigners: [PartitionAssigners.roundRobin],
      // Another consumer takes its place, see #adjust.
      retry: { restartOnFailure: () => Promise.resolve(false) },
    });
    const running: Running = { consumer, topics, failed: false };
    this.#running = running;
    consumer.on(consumer.events.GROUP_JOIN, ({ payload }) => {
      // Before its first fetch: this consumer never reads, so it never resets a position either.
      consumer.pause(names.map((topic) => ({ topic })));
      this.#passed = 0;
      onFact({ kind: 'assigned', partitions: partitionsOf(payload.memberAssignment) });
    });
    consumer.on(consumer.events.CRASH, ({ payload }) => {
      running.failed = true;
      this.#fail(payload.error);
    });
    try {
      await consumer.connect();
      await consumer.subscribe({ topics: names });
      await consumer.run({ autoCommit: false, eachBatchAutoResolve: false, eachBatch: refuseBatch });
    } catch (thrown) {
      running.failed = true;
      throw thrown;
    }
  }

  #fail(thrown: unknown): void {
    this.#passed += 1;
    if (passing.has(kafkaErrorType(thrown)) && this.#passed < maxPassing) return;
    this.#options.onFact({ kind: 'failed', error: fromKafka(thrown, `group "${this.#options.group}"`) });
  }

  async #stop(): Promise<void> {
    const running = this.#running;
    this.#running = undefined;
    await running?.consumer.disconnect().catch(() => undefined);
  }
}

function refuseBatch(): Promise<void> {
  return Promise.reject(new MillraceError('internal.bug', 'a consumer that only holds a membership read records'));
}

function partitionsOf(assignment: Readonly<Record<string, readonly number[]>>): readonly TopicPartition[] {
  return Object.entries(assignment).flatMap(([topic, partitions]) =>
    [...partitions].sort((a, b) => a - b).map((partition) => ({ topic, partition })),
  );
}
