import type { MillraceError } from '../core/millrace-error.ts';
import type { Offset, Partition, TopicPartition } from '../core/offset.ts';
import type { EpochEnd } from '../core/progress/cut.ts';
import type { RetentionLimits } from '../core/retention-limits.ts';
import type { Claimable } from './claimable.ts';
import type { Waiting } from './waiting.ts';

/**
 * How long a log may try, counted from the call and met within some hundred milliseconds. A log in a file tries once: a
 * caller that must answer by then needs a limit of its own.
 */
export interface AppendOptions extends Waiting {
  /** Absent: the log's own patience. */
  readonly withinMs?: number;
  /** `log.refused` when its records could not be handed to the storage within this: they may go elsewhere. */
  readonly sendWithinMs?: number;
}

/**
 * What a caller with a choice of partitions should know of one. `late`: an append is older than a second, or others
 * could not be sent. `refusing`: it has stored nothing for as long as an append had time; appends are refused at once
 * until it is well.
 */
export type PartitionCondition = 'well' | 'late' | 'refusing';

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

/** What a record is. `headers` is a flat list `name, value, name, value …` in order, names may repeat. */
interface RecordContent {
  readonly value: Uint8Array;
  readonly headers: readonly string[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
}

/** Something to append. */
export interface NewRecord extends RecordContent {
  /** Headers behind its own, one list for many records: stored with each of them, as one list, and written down once. */
  readonly sharedHeaders?: readonly string[];
}

/**
 * Many records to append that have a timestamp and all headers but the first in common. None of them is an object, so that thousands can
 * wait for the disk at little cost; a log that wants objects asks for the list. Nobody changes what is in it.
 */
export interface RecordRun {
  readonly length: number;
  /** The values lie here: one begins at `bounds[2 * n]` and ends at `bounds[2 * n + 1]`. */
  readonly memory: Buffer;
  readonly bounds: readonly number[];
  /** Of all values, and of the longest. */
  readonly valueBytes: number;
  readonly longestBytes: number;
  readonly firstHeader: RunHeader;
  /** The headers behind the first, a flat list. */
  readonly sharedHeaders: readonly string[];
  /** Milliseconds since the epoch. */
  readonly timestamp: number;
  list(): readonly NewRecord[];
}

/** A header that each record of a run has with a value of its own: printable ASCII without quotes and backslashes. */
export interface RunHeader {
  readonly name: string;
  /** The values one behind the other, each of `valueBytes`. */
  readonly values: Buffer;
  readonly valueBytes: number;
}

/** What is appended at once. */
export type NewRecords = readonly NewRecord[] | RecordRun;

export function isRun(records: NewRecords): records is RecordRun {
  return !Array.isArray(records);
}

/** The same as objects, one for each record. */
export function listOf(records: NewRecords): readonly NewRecord[] {
  return isRun(records) ? records.list() : records;
}

/**
 * One entry of a partition. `value` and `headers` stay valid after the next call, until the caller drops them, and nobody changes the
 * bytes.
 */
export interface LogRecord extends RecordContent {
  readonly offset: Offset;
  /** Where the value lies, for whoever reads many and has no need of a view of each: `memory` from `valueStart` to `valueEnd`. */
  readonly memory: Buffer;
  readonly valueStart: number;
  readonly valueEnd: number;
}

/** A partition of one existence of a topic: made anew under the same name, it is another one, whose offsets begin anew. */
export interface IdentifiedPartition extends TopicPartition {
  /** `TopicDescription.identity`. */
  readonly identity: string;
}

/** Records of one partition in ascending offsets; offsets may be missing (markers, compaction, retention, damage). */
export interface RecordBatch extends IdentifiedPartition {
  readonly records: readonly LogRecord[];
  /** The first offset that the partition still holds. Above the position asked for: what lies between was taken by retention. */
  readonly first: Offset;
  /** Where the next poll goes on: past the last record, and past offsets at the end that hold none. */
  readonly next: Offset;
  /**
   * What it means when an offset in [first, next) has no record. `none`: one that never had a record that counts, in a
   * log which leaves some out (markers of transactions, compaction). `lost`: one whose record went, in a log which
   * leaves none out.
   */
  readonly missing: 'none' | 'lost';
  /**
   * The epoch in which the log took what the batch has: a number that grows whenever somebody else leads the partition.
   * Undefined where the log counts none, and for a batch without records.
   */
  readonly epoch?: number;
  /**
   * Set when the partition cannot be read on from `next`: it is damaged, may not be read, or ends before the position
   * (`progress.logBehind`). The other partitions go on; a seek tries again, and so does the member itself after a while.
   */
  readonly failure?: MillraceError;
}

/** Where a partition begins and ends. */
export interface PartitionEnds {
  readonly first: Offset;
  /**
   * One past the last record that a consumer can read now. Kafka: the last stable offset, behind which lie the records of open
   * transactions and everything that was appended after the first of them. Never above `durableEnd`.
   */
  readonly stableEnd: Offset;
  /**
   * One past the last record that was acknowledged, or may be one day without another append: everything that is durable lies below
   * it. Kafka: the high watermark. Equal to `stableEnd` where nothing can be open.
   */
  readonly durableEnd: Offset;
}

export interface PartitionRange extends PartitionEnds {
  /**
   * How many records were acknowledged since the partition was made, counted in the same transactions as the records: a
   * witness apart from the offsets. Such a log has a record at each offset. Undefined where the log does not count, as
   * on Kafka.
   */
  readonly acknowledged?: number;
  /** Bytes that the partition's records take, as far as the log knows. */
  readonly bytes: number;
}

/**
 * A log of topics with partitions: ordered, durable, kept until retention or a trim takes it.
 *
 * Durability: when `append` resolves, the records survive the loss of power (embedded: synced; Kafka: acknowledged by
 * all in-sync replicas). A consumer sees only durable records. A rejected append may still have happened, unless the code says
 * that it has not: `log.refused`, `log.recordTooLarge`, `log.topicNotFound`, `progress.topicChanged`.
 *
 * Its mark is no record of a topic of the product: neither retention nor the removal of topics takes it.
 */
export interface EventLog extends Claimable, AsyncDisposable {
  /** Makes the topic, or describes it when it is there with the same number of partitions; else `log.topicExists`. */
  createTopic(spec: TopicSpec, options: Waiting): Promise<TopicDescription>;
  /**
   * Gives the topic so many partitions, when it has fewer; those that are there keep their records. Never makes a topic:
   * `log.topicNotFound`. Members of groups take new partitions over as they take over a new topic.
   */
  growTopic(name: string, partitions: number, options: Waiting): Promise<TopicDescription>;
  /** Does nothing when there is none. Records are gone at once. */
  deleteTopic(name: string, options: Waiting): Promise<void>;
  describeTopic(name: string, options: Waiting): Promise<TopicDescription | undefined>;
  /** Names that begin with `prefix`, sorted. */
  listTopics(prefix: string, options: Waiting): Promise<readonly string[]>;
  /** First offset, both ends and size of every partition, in order of partition; linearizable. `log.topicNotFound`. */
  ranges(topic: string, options: Waiting): Promise<readonly PartitionRange[]>;
  /**
   * First offset and both ends of one partition; linearizable. Unlike `ranges` it needs no other partition, one of which may be without a
   * leader. `log.topicNotFound`, also for a partition that the topic does not have.
   */
  range(at: TopicPartition, options: Waiting): Promise<PartitionEnds>;
  /**
   * The first offset whose record, and all after it, arrived at `timestamp` or later, as far as timestamps ascend; the
   * stable end when there is none.
   */
  offsetForTime(at: TopicPartition, timestamp: number, options: Waiting): Promise<Offset>;
  /**
   * What the log removes by itself of each partition of the topic, perhaps a minute old; undefined where it removes nothing, and where
   * nobody can or may tell.
   */
  removal(topic: string, options: Waiting): Promise<RetentionLimits | undefined>;
  /**
   * What the partition has of an epoch, asked of whoever leads it now: the last epoch up to that one which it has
   * records of, and where those end. Whatever was read in the epoch from there on is gone, even if its offsets belong
   * to other records by now. Undefined where the log counts no epochs, and when it knows nothing of this one.
   */
  epochEnd(at: IdentifiedPartition, epoch: number, options: Waiting): Promise<EpochEnd | undefined>;
  /** The last record of a partition that a consumer can read, undefined when there is none. */
  lastRecord(at: TopicPartition, options: Waiting): Promise<LogRecord | undefined>;
  /**
   * What the partition holds from an offset on, about a megabyte of it, without a group: no group's position moves, and nothing is kept
   * of the call, so whoever reads on bounds how much. A batch whose `next` is that offset: it ends there for whoever reads it, or before it
   * (`failure`). `log.topicNotFound`, `progress.topicChanged`.
   */
  read(at: IdentifiedPartition, from: Offset, options: Waiting): Promise<RecordBatch>;
  /**
   * Appends all records, in order, as one durable batch of one partition; returns the offset of the first. With an
   * identity it is for that existence of the topic alone: `progress.topicChanged` when there is another by now, to
   * which nothing is appended. Where a broker takes no identities (Kafka before 4.1) the records may have been
   * appended, and the call is refused all the same. Never throws: whatever is wrong, its promise tells.
   */
  append(at: AppendTarget, records: NewRecords, options: AppendOptions): Promise<Offset>;
  /** What is known of the partition now; asks nobody, and costs next to nothing. */
  condition(at: TopicPartition): PartitionCondition;
  /**
   * Removes records below `before`; more or fewer may go, never one at or above it. `progress.topicChanged` when the topic was
   * made anew: offsets of the one before mean nothing there. Kafka's request has no place for an identity: the adapter looks
   * at it right before.
   */
  trim(at: IdentifiedPartition, before: Offset, options: Waiting): Promise<void>;
  /** Joins a group. Resolves before the first assignment. */
  join(group: GroupSpec, options: Waiting): Promise<GroupMember>;
}

/** Without an identity: the topic of that name, whichever it is. */
export interface AppendTarget extends TopicPartition {
  readonly identity?: string;
}

export interface GroupSpec {
  readonly group: string;
  /** Name of this member for people. */
  readonly member: string;
}

/**
 * What a member holds now. A higher generation replaces the assignment as a whole. A partition of a topic that was made anew is
 * another one: it has another identity, no position, and batches of its own.
 */
export interface Assignment {
  readonly generation: number;
  readonly partitions: readonly IdentifiedPartition[];
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
   * `log.notAssigned` for a partition that this member does not hold, or holds of another existence of its topic.
   */
  seek(at: IdentifiedPartition, offset: Offset): void;
  pause(at: IdentifiedPartition): void;
  resume(at: IdentifiedPartition): void;
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
  /**
   * Notes how far the group has come: a hint for `lag`; nothing is decided by it. Several may be under way. Nothing is
   * noted for a topic that is known to be made anew.
   */
  commit(at: IdentifiedPartition, offset: Offset, options: Waiting): Promise<void>;
  /** What the group last noted, undefined when nothing. */
  committed(at: TopicPartition, options: Waiting): Promise<Offset | undefined>;
}

/** A key for maps, of whatever is the partition of that name. */
export function partitionKey(at: { readonly topic: string; readonly partition: Partition }): string {
  return `${at.topic}/${at.partition}`;
}

/** A key for maps, of the partition in one existence of its topic. */
export function identifiedKey(at: IdentifiedPartition): string {
  return `${at.topic}/${at.partition}@${at.identity}`;
}
