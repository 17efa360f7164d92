import type { Kafka } from 'kafkajs';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import {
  partitionKey,
  type Assignment,
  type GroupMember,
  type GroupSpec,
  type RecordBatch,
  type Waiting,
} from '../../ports/event-log.ts';
import { abortable } from '../abortable.ts';
import { KafkaConnections } from './client.ts';
import { fetchWaitMs, partitionRetryMs } from './config.ts';
import { fromKafka } from './errors.ts';
import { HeldPartition } from './held-partition.ts';
import { Membership, type MembershipFact } from './membership.ts';
import { PartitionReads, type PartitionRead, type Position } from './partition-reads.ts';
import { TopicDirectory } from './topic-directory.ts';

export interface KafkaGroupMemberOptions {
  readonly spec: GroupSpec;
  readonly kafka: Kafka;
  readonly sessionTimeoutMs: number;
  readonly heartbeatMs: number;
  readonly topicCheckMs: number;
}

/**
 * A member of a consumer group. The group only says which partitions are its own; the records are fetched from the
 * leaders at exactly the positions of `seek`, so nothing that Kafka stores for the group can move a position. A fetch
 * goes on while nobody polls, and holds about one answer for each partition.
 */
export class KafkaGroupMember implements GroupMember {
  readonly #spec: GroupSpec;
  readonly #connections: KafkaConnections;
  readonly #reads: PartitionReads;
  readonly #membership: Membership;
  readonly #facts: MembershipFact[] = [];
  readonly #closing = new AbortController();
  #held = new Map<string, HeldPartition>();
  #assignment: Assignment = { generation: 0, partitions: [] };
  #fetching: Promise<void> | undefined;
  #failure: Error | undefined;
  #woken = false;
  #news: () => void = () => undefined;
  #closed: Promise<void> | undefined;

  constructor(options: KafkaGroupMemberOptions) {
    this.#spec = options.spec;
    this.#connections = new KafkaConnections(options.kafka);
    const directory = new TopicDirectory(this.#connections);
    this.#reads = new PartitionReads(this.#connections, directory);
    this.#membership = new Membership({
      ...options,
      group: options.spec.group,
      directory,
      onFact: (fact) => {
        this.#facts.push(fact);
        this.#news();
      },
    });
  }

  get assignment(): Assignment {
    return this.#assignment;
  }

  async subscribe(topics: readonly string[], { signal }: Waiting): Promise<void> {
    this.#check(signal);
    this.#membership.subscribe(topics);
  }

  seek(at: TopicPartition, offset: Offset): void {
    this.#partition(at).seek(offset);
  }

  pause(at: TopicPartition): void {
    this.#partition(at).pause();
  }

  resume(at: TopicPartition): void {
    this.#partition(at).resume();
  }

  async poll(
    limits: { readonly maxBytes: number; readonly maxWaitMs: number },
    { signal }: Waiting,
  ): Promise<readonly RecordBatch[]> {
    const deadline = performance.now() + limits.maxWaitMs;
    for (;;) {
      this.#check(signal);
      if (this.#takeFacts() || this.#takeWake()) return [];
      const batches = this.#take(limits.maxBytes);
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

  async commit(at: TopicPartition, offset: Offset, { signal }: Waiting): Promise<void> {
    this.#check(signal);
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
    await this.#membership.close();
    await this.#fetching;
    await this.#connections.close();
  }

  async #committed(topic: string, partition: number): Promise<Offset | undefined> {
    const { group: groupId } = this.#spec;
    try {
      const coordinator = await this.#connections.coordinator(groupId);
      // The offset of the request is not sent; kafkajs's type of request and response is the same.
      const topics = [{ topic, partitions: [{ partition, offset: '' }] }];
      const { responses } = await coordinator.offsetFetch({ groupId, topics });
      const offset = Number(responses[0]?.partitions[0]?.offset ?? -1);
      return offset < 0 ? undefined : offset;
    } catch (thrown) {
      throw fromKafka(thrown, `cannot read what group "${groupId}" has noted`, { topic, partition });
    }
  }

  /** True when there was a new assignment; a member that failed says so once. */
  #takeFacts(): boolean {
    const facts = this.#facts.splice(0);
    const assigned = facts.findLast((fact) => fact.kind === 'assigned');
    if (assigned !== undefined) {
      this.#held = new Map(assigned.partitions.map((at) => [partitionKey(at), new HeldPartition(at)]));
      this.#assignment = { generation: this.#assignment.generation + 1, partitions: assigned.partitions };
    }
    const failed = facts.findLast((fact) => fact.kind === 'failed');
    if (failed !== undefined && assigned === undefined) throw failed.error;
    if (this.#failure === undefined || assigned !== undefined) return assigned !== undefined;
    const failure = this.#failure;
    this.#failure = undefined;
    throw failure;
  }

  #takeWake(): boolean {
    const woken = this.#woken;
    this.#woken = false;
    return woken;
  }

  #take(maxBytes: number): readonly RecordBatch[] {
    const batches: RecordBatch[] = [];
    let left = maxBytes;
    for (const [key, partition] of this.#held) {
      if (left <= 0) break;
      const batch = partition.take(left);
      if (batch === undefined) continue;
      batches.push(batch);
      for (const { value } of batch.records) left -= value.byteLength;
      // Whoever was served goes to the end of the line.
      this.#held.delete(key);
      this.#held.set(key, partition);
    }
    return batches;
  }

  /** Begins to fetch what is wanted, unless a fetch is under way; its end is news. */
  #fetch(): void {
    if (this.#fetching !== undefined || this.#closing.signal.aborted) return;
    const now = performance.now();
    const positions = [...this.#held.values()].flatMap((partition) => partition.wanted(now) ?? []);
    if (positions.length === 0) return;
    this.#fetching = this.#fetchFrom(positions);
  }

  async #fetchFrom(positions: readonly Position[]): Promise<void> {
    const held = this.#held;
    try {
      const reads = await this.#reads.read(positions, fetchWaitMs);
      await Promise.all(reads.map((read) => this.#accept(read, held)));
    } catch (thrown) {
      this.#failure = fromKafka(thrown, `group "${this.#spec.group}" cannot read`);
    }
    this.#fetching = undefined;
    this.#news();
  }

  async #accept(read: PartitionRead, held: ReadonlyMap<string, HeldPartition>): Promise<void> {
    const { at } = read;
    const partition = held.get(partitionKey(at));
    if (partition === undefined) return;
    switch (read.kind) {
      case 'batch':
        partition.accept(read.batch, at.offset);
        return;
      case 'outOfRange': {
        const [range] = await this.#reads.ranges(at.topic, [at.partition]);
        const first = range?.first ?? 0;
        const { topic, partition: number } = at;
        // Never a silent reset: the gap is reported by an empty batch that begins and ends where the log begins now. A
        // position past the end waits for the log to grow; whoever compares it with the end raises the alarm.
        if (at.offset < first) {
          partition.accept({ topic, partition: number, records: [], first, next: first }, at.offset);
        } else partition.waitUntil(performance.now() + partitionRetryMs);
        return;
      }
      case 'failed':
        // A partition that moves or is gone gets another leader, or leaves the assignment.
        partition.waitUntil(performance.now() + partitionRetryMs);
        return;
      default:
        read satisfies never;
    }
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

  #partition(at: TopicPartition): HeldPartition {
    const partition = this.#held.get(partitionKey(at));
    if (partition !== undefined) return partition;
    const message = `member "${this.#spec.member}" of group "${this.#spec.group}" does not hold partition ${at.partition} of topic "${at.topic}"`;
    throw new MillraceError('log.notAssigned', message, { details: { ...at } });
  }

  #check(signal: AbortSignal): void {
    signal.throwIfAborted();
    if (this.#closing.signal.aborted) throw new MillraceError('log.closed', 'the member of the group was closed');
  }
}
