import type { MillraceError } from '../core/millrace-error.ts';
import type { Offset, Partition, TopicPartition } from '../core/offset.ts';

/** What every method that waits takes last; an abort rejects with the signal's reason and changes nothing by itself. */
export interface Waiting {
  readonly signal: AbortSignal;
}

export interface TopicDescription {
  readonly name: string;
  /** Changes when a topic is deleted and made again under its name; Kafka's topic id. */
  readonly identity: string;
  readonly partitions: number;
}

export interface TopicSpec {
  readonly name: string;
  readonly partitions: number;
  /** Largest record that the topic takes, bytes of value, key and headers; absent: the log's own limit. */
  readonly maxRecordBytes?: number;
}

/** Something to append. `headers` is a flat list `name, value, name, value …` in order, names may repeat. */
export interface NewRecord {
  readonly value: Uint8Array;
  readonly headers: readonly string[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** One entry of a partition. `value` and `headers` stay valid after the next call, until the caller drops them. */
export interface LogRecord extends NewRecord {
  readonly offset: Offset;
}

/** Records of one partition in ascending offsets; offsets may be missing (markers, compaction, retention). */
export interface RecordBatch extends TopicPartition {
  readonly records: readonly LogRecord[];
  /** The first offset that the partition still holds. Above the position asked for: what lies between was taken by retention. */
  readonly first: Offset;
  /** Where the next poll goes on: past the last record, and past offsets at the end that hold none. */
  readonly next: Offset;
  /**
   * Set when the partition cannot be read on from `next`: it is damaged, may not be read, or ends before the position
   * (`progress.logBehind`). The other partitions go on; a seek tries again, and so does the member itself after a while.
   */
  readonly failure?: MillraceError;
}

export interface PartitionRange {
  readonly first: Offset;
  /** One past the last durable record. */
  readonly end: Offset;
  /** Bytes that the partition's records take, as far as the log knows. */
  readonly bytes: number;
}

/**
 * A log of topics with partitions: ordered, durable, kept until retention or a trim takes it.
 *
 * Durability: when `append` resolves, the records survive the loss of power (embedded: synced; Kafka: acknowledged by
 * all in-sync replicas). A consumer sees only durable records. A rejected append may still have happened.
 */
export interface EventLog extends AsyncDisposable {
  /** Makes the topic, or describes it when it is there with the same number of partitions; else `log.topicExists`. */
  createTopic(spec: TopicSpec, options: Waiting): Promise<TopicDescription>;
  /** Does nothing when there is none. Records are gone at once. */
  deleteTopic(name: string, options: Waiting): Promise<void>;
  describeTopic(name: string, options: Waiting): Promise<TopicDescription | undefined>;
  /** Names that begin with `prefix`, sorted. */
  listTopics(prefix: string, options: Waiting): Promise<readonly string[]>;
  /** First offset, end and size of every partition, in order of partition; linearizable. `log.topicNotFound`. */
  ranges(topic: string, options: Waiting): Promise<readonly PartitionRange[]>;
  /** The first offset whose record, and all after it, arrived at `timestamp` or later, as far as timestamps ascend; the end when there is none. */
  offsetForTime(at: TopicPartition, timestamp: number, options: Waiting): Promise<Offset>;
  /** The last record of a partition, undefined when it is empty. */
  lastRecord(at: TopicPartition, options: Waiting): Promise<LogRecord | undefined>;
  /** Appends all records, in order, as one durable batch of one partition; returns the offset of the first. */
  append(at: TopicPartition, records: readonly NewRecord[], options: Waiting): Promise<Offset>;
  /** Removes records below `before`; more or fewer may go, never one at or above it. */
  trim(at: TopicPartition, before: Offset, options: Waiting): Promise<void>;
  /** Joins a group. Resolves before the first assignment. */
  join(group: GroupSpec, options: Waiting): Promise<GroupMember>;
}

export interface GroupSpec {
  readonly group: string;
  /** Name of this member for people. */
  readonly member: string;
}

/** What a member holds now. A higher generation replaces the assignment as a whole. */
export interface Assignment {
  readonly generation: number;
  readonly partitions: readonly TopicPartition[];
}

/**
 * A member of a group: every partition of the subscribed topics is assigned to one live member, sooner or later, and
 * at times to two or none. Correctness must not rest on it. The members of a group want the same topics, sooner or later: a
 * partition may wait until the member whose turn it is wants its topic, too. One loop owns a member: calls do not overlap.
 */
export interface GroupMember extends AsyncDisposable {
  /** Replaces the set of topics. Topics that do not exist yet are picked up when they are made. */
  subscribe(topics: readonly string[], options: Waiting): Promise<void>;
  /** The newest assignment; changes only inside `poll`. Partitions that stay in the next one may keep their position and pause. */
  readonly assignment: Assignment;
  /**
   * Sets where the next poll reads a partition; a newly assigned partition is paused until its first seek. A position
   * below the first offset reads from the first offset (and says so in `RecordBatch.first`): never a silent reset. One past
   * the end waits, or is a `failure` of the batch where a log can lose its end.
   * `log.notAssigned` for a partition that this member does not hold.
   */
  seek(at: TopicPartition, offset: Offset): void;
  pause(at: TopicPartition): void;
  resume(at: TopicPartition): void;
  /**
   * Batches of assigned, not paused partitions, at most about `maxBytes` of them (one record more when a single one is
   * larger), and moves their positions. Waits up to `maxWaitMs` when there is nothing; returns early, perhaps with
   * nothing, when the assignment changed or `wake` was called.
   */
  poll(
    limits: { readonly maxBytes: number; readonly maxWaitMs: number },
    options: Waiting,
  ): Promise<readonly RecordBatch[]>;
  /** Makes a waiting poll return. May be called from anywhere. */
  wake(): void;
  /** Notes how far the group has come: a hint for `lag`, nothing reads it to decide anything. Several may be under way. */
  commit(at: TopicPartition, offset: Offset, options: Waiting): Promise<void>;
  /** What the group last noted, undefined when nothing. */
  committed(at: TopicPartition, options: Waiting): Promise<Offset | undefined>;
}

/** A key for maps. */
export function partitionKey(at: { readonly topic: string; readonly partition: Partition }): string {
  return `${at.topic}/${at.partition}`;
}
