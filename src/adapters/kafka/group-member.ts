import type { Kafka } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import {
  type Assignment,
  type GroupMember,
  type GroupSpec,
  type IdentifiedPartition,
  type RecordBatch,
} from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { AnswerObserver } from '../../telemetry/observe-appends.ts';
import { abortable } from '../../core/abortable.ts';
import { KafkaConnections } from './client.ts';
import { fetchedAheadBytes, partitionRetryMs } from './config.ts';
import type { DriverSockets } from './driver-sockets.ts';
import { fromKafka } from './errors.ts';
import type { Position } from './fetch-request.ts';
import { fetchWait } from './fetch-wait.ts';
import type { HeldPartition } from './held-partition.ts';
import { HeldPartitions, type AskedPartitions } from './held-partitions.ts';
import { Membership } from './membership.ts';
import { PartitionReads, type PartitionRead } from './partition-reads.ts';
import { shareOfTopics } from './share-of-topics.ts';
import type { KafkaTopic } from './newest-leaders.ts';
import { TopicDirectory } from './topic-directory.ts';
import { TopicWatch } from './topic-watch.ts';

export interface KafkaGroupMemberOptions {
  readonly spec: GroupSpec;
  readonly kafka: Kafka;
  /** Those of `kafka`. */
  readonly sockets: DriverSockets;
  readonly sessionTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly topicCheckMs: number;
  readonly answers?: AnswerObserver | undefined;
}

/**
 * A member of a consumer group. The group only says who its members are; each works out its share of the topics' partitions
 * (`shareOfTopics`), and fetches their records from the leaders at exactly the positions of `seek`, so nothing that Kafka
 * stores for the group can move a position. A new topic is no matter of the group. A fetch goes on while nobody polls,
 * and holds about one answer for each partition.
 */
export class KafkaGroupMember implements GroupMember {
  readonly #spec: GroupSpec;
  readonly #sockets: DriverSockets;
  readonly #connections: KafkaConnections;
  readonly #joinConnections: KafkaConnections;
  readonly #reads: PartitionReads;
  readonly #membership: Membership;
  readonly #topicWatch: TopicWatch;
  readonly #held = new HeldPartitions();
  /** Leaders that are asked at the moment. */
  readonly #asking = new Map<number, Promise<void>>();
  /** When each leader was asked last, monotonic. */
  readonly #askedAt = new Map<number, number>();
  readonly #closing = new AbortController();
  #topics: readonly KafkaTopic[] = [];
  #members: { readonly all: readonly string[]; readonly self: string } = { all: [], self: '' };
  #hasOtherShare = false;
  #choosing: Promise<void> | undefined;
  #failure: Error | undefined;
  #woken = false;
  #news: () => void = () => undefined;
  #closed: Promise<void> | undefined;

  constructor({ spec, kafka, sockets, topicCheckMs, answers, ...times }: KafkaGroupMemberOptions) {
    this.#spec = spec;
    this.#sockets = sockets;
    this.#connections = new KafkaConnections(kafka);
    this.#joinConnections = new KafkaConnections(kafka);
    const directory = new TopicDirectory(this.#connections);
    this.#reads = new PartitionReads(this.#connections, directory, answers);
    const onFailure = (error: Error): void => {
      this.#failure = error;
      this.#news();
    };
    this.#membership = new Membership({
      ...times,
      group: spec.group,
      connections: this.#joinConnections,
      quickConnections: this.#connections,
      onMembers: (all, self) => {
        this.#members = { all, self };
        this.#reshare();
      },
      onFailure,
    });
    this.#topicWatch = new TopicWatch({
      directory,
      checkMs: topicCheckMs,
      onTopics: (topics) => {
        this.#topics = topics;
        this.#reshare();
      },
      onFailure,
    });
  }

  get assignment(): Assignment {
    return this.#held.assignment;
  }

  async subscribe(topics: readonly string[], { signal }: Waiting): Promise<void> {
    this.#check(signal);
    this.#topicWatch.want(topics);
    if (topics.length > 0) this.#membership.begin();
  }

  seek(at: IdentifiedPartition, offset: Offset): void {
    this.#partition(at).seek(offset);
  }

  pause(at: IdentifiedPartition): void {
    this.#partition(at).pause();
  }

  resume(at: IdentifiedPartition): void {
    this.#partition(at).resume();
  }

  async poll(
    limits: { readonly maxBytes: number; readonly maxWaitMs: number },
    { signal }: Waiting,
  ): Promise<readonly RecordBatch[]> {
    const deadline = performance.now() + limits.maxWaitMs;
    for (;;) {
      this.#check(signal);
      this.#throwFailure();
      if (this.#takeShare() || this.#takeWake()) return [];
      const batches = this.#held.take(limits.maxBytes);
      this.#fetch();
      const left = deadline - performance.now();
      if (batches.length > 0 || left <= 0) return batches;
      await this.#waitForNews(left, signal);
    }
  }

  wake(): void {
    this.#woken = true;
    this.#news();
  }

  async commit(at: IdentifiedPartition, offset: Offset, { signal }: Waiting): Promise<void> {
    this.#check(signal);
    if (this.#topics.some(({ name, identity }) => name === at.topic && identity !== at.identity)) return;
    await abortable(this.#membership.commit(at, offset), signal);
  }

  async committed({ topic, partition }: TopicPartition, { signal }: Waiting): Promise<Offset | undefined> {
    this.#check(signal);
    return abortable(this.#committed(topic, partition), signal);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#closed ??= this.#close();
    await this.#closed;
  }

  async #close(): Promise<void> {
    this.#closing.abort();
    this.#news();
    // Brokers that are away do not keep the process: what asks for them ends now.
    this.#connections.giveUp();
    await Promise.all([this.#membership.close(), this.#topicWatch.close()]);
    await this.#choosing;
    await Promise.all(this.#asking.values());
    await this.#sockets.endAfter(Promise.all([this.#joinConnections.close(), this.#connections.close()]));
  }

  async #committed(topic: string, partition: number): Promise<Offset | undefined> {
    const { group: groupId } = this.#spec;
    try {
      // The offset of the request is not sent; kafkajs's type of request and response is the same.
      const topics = [{ topic, partitions: [{ partition, offset: '' }] }];
      const { responses } = await this.#connections.patiently(async () => {
        const coordinator = await this.#connections.coordinator(groupId);
        return coordinator.offsetFetch({ groupId, topics });
      });
      const offset = Number(responses[0]?.partitions[0]?.offset ?? -1);
      return offset < 0 ? undefined : offset;
    } catch (thrown) {
      throw fromKafka(thrown, `cannot read what group "${groupId}" has noted`, { topic, partition });
    }
  }

  #reshare(): void {
    this.#hasOtherShare = true;
    this.#news();
  }

  /** True when there is another assignment. */
  #takeShare(): boolean {
    if (!this.#hasOtherShare) return false;
    this.#hasOtherShare = false;
    const counted = this.#topics.map(({ name, identity, leaders }) => ({ name, identity, partitions: leaders.length }));
    return this.#held.replace(shareOfTopics(counted, this.#members.all, this.#members.self));
  }

  #throwFailure(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure !== undefined) throw failure;
  }

  #takeWake(): boolean {
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }

  /** Begins to fetch what is wanted of leaders that are not asked at the moment; the end of each is news. */
  #fetch(): void {
    if (this.#choosing !== undefined || this.#closing.signal.aborted) return;
    const positions = this.#held.wanted(performance.now(), fetchedAheadBytes);
    if (positions.length === 0) return;
    this.#choosing = this.#ask(positions).finally(() => (this.#choosing = undefined));
  }

  /** Never rejects. */
  async #ask(positions: readonly Position[]): Promise<void> {
    const { byLeader, failed } = await this.#reads.byLeader(positions);
    const failedAt = failed.map(({ at }) => at);
    this.#accept(this.#held.asked(failedAt), failed);
    for (const [leader, own] of byLeader) {
      if (this.#asking.has(leader) || this.#closing.signal.aborted) continue;
      const waitMs = this.#waitFor(leader, own);
      if (waitMs !== undefined) this.#asking.set(leader, this.#fetchFrom(leader, own, waitMs));
    }
  }

  #waitFor(leader: number, positions: readonly Position[]): number | undefined {
    const now = performance.now();
    const { hasReady } = this.#held;
    const sinceMs = now - (this.#askedAt.get(leader) ?? Number.NEGATIVE_INFINITY);
    const waitMs = fetchWait({ hasReady, areIdle: hasReady && this.#held.areIdle(positions), sinceMs });
    if (waitMs !== undefined) this.#askedAt.set(leader, now);
    return waitMs;
  }

  /** Never rejects. */
  async #fetchFrom(leader: number, positions: readonly Position[], waitMs: number): Promise<void> {
    const asked = this.#held.asked(positions);
    const reads = await this.#reads.readAt(leader, positions, waitMs);
    const answers = await Promise.all(reads.map((read) => this.#withRange(read)));
    this.#asking.delete(leader);
    this.#accept(asked, answers);
    this.#news();
  }

  #accept(asked: AskedPartitions, reads: readonly PartitionRead[]): void {
    if (reads.some(({ kind }) => kind === 'failed')) this.#topicWatch.doubt();
    if (this.#held.answered(asked, reads, performance.now())) this.#news();
  }

  /** Never a silent reset: what lies outside of the log becomes an empty batch that says where the log begins, or a failure. */
  async #withRange(read: PartitionRead): Promise<PartitionRead> {
    if (read.kind !== 'outOfRange') return read;
    return this.#reads.outside(read.at);
  }

  /** Until something was fetched or happened, `ms` have passed, or the signal is aborted. */
  async #waitForNews(ms: number, signal: AbortSignal): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#news = resolve;
    // A partition that waits for its next try is looked at by then.
    const timer = setTimeout(resolve, Math.min(ms, partitionRetryMs));
    try {
      await abortable(promise, signal);
    } finally {
      clearTimeout(timer);
      this.#news = () => undefined;
    }
  }

  #partition(at: IdentifiedPartition): HeldPartition {
    const partition = this.#held.get(at);
    if (partition !== undefined) return partition;
    const message = `member "${this.#spec.member}" of group "${this.#spec.group}" does not hold partition ${at.partition} of topic "${at.topic}"`;
    throw new MillraceError('log.notAssigned', message, { details: { ...at } });
  }

  #check(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#closing.signal.aborted) throw new MillraceError('log.closed', 'the member of the group was closed');
  }
}
