import type { Offset, TopicPartition } from '../../core/offset.ts';
import { partitionKey, type LogRecord, type PartitionRange, type RecordBatch } from '../../ports/event-log.ts';
import type { FullBroker } from './broker.ts';
import type { KafkaConnections } from './client.ts';
import { fetchBytes, fetchPartitionBytes } from './config.ts';
import { kafkaErrorType, topicNotFound } from './errors.ts';
import {
  committedRecords,
  endOfBatch,
  toLogRecord,
  type AbortedTransaction,
  type FetchedRecord,
} from './kafka-record.ts';
import { PartitionLeaders } from './partition-leaders.ts';
import type { TopicDirectory } from './topic-directory.ts';

/** Where a partition is to be read. */
export interface Position extends TopicPartition {
  readonly offset: Offset;
}

/** Answer for one position. */
export type PartitionRead =
  | { readonly kind: 'batch'; readonly at: Position; readonly batch: RecordBatch }
  /** The log holds nothing at this position: it begins later, or ends earlier. */
  | { readonly kind: 'outOfRange'; readonly at: Position }
  | { readonly kind: 'failed'; readonly at: Position; readonly error: unknown };

/** Special timestamps of ListOffsets. */
const latest = '-1';
const earliest = '-2';
/** Only what is committed: `end` is the last stable offset, and open transactions are not read. */
const readCommitted = 1;
const notAReplica = -1;

/** Reads partitions at the leaders, without a group and without a position of Kafka's own. */
export class PartitionReads {
  readonly #connections: KafkaConnections;
  readonly #directory: TopicDirectory;
  readonly #leaders: PartitionLeaders;

  constructor(connections: KafkaConnections, directory: TopicDirectory) {
    this.#connections = connections;
    this.#directory = directory;
    this.#leaders = new PartitionLeaders(connections, directory);
  }

  /**
   * One request to each leader; waits there up to `maxWaitMs` while none of its partitions has anything. One answer for
   * each position, in any order. A failure of one partition is not one of the others.
   */
  async read(positions: readonly Position[], maxWaitMs: number): Promise<readonly PartitionRead[]> {
    const byLeader = new Map<number, Position[]>();
    const failed: PartitionRead[] = [];
    for (const at of positions) {
      try {
        const leader = await this.#directory.leader(at);
        byLeader.set(leader, [...(byLeader.get(leader) ?? []), at]);
      } catch (error) {
        failed.push({ kind: 'failed', at, error });
      }
    }
    const reads = await Promise.all([...byLeader].map(([leader, own]) => this.#readAt(leader, own, maxWaitMs)));
    return [...failed, ...reads.flat()];
  }

  /** First and last stable offset, in order of partition, asked of the leaders. `log.topicNotFound`. */
  async ranges(topic: string, partitions: readonly number[]): Promise<readonly Omit<PartitionRange, 'bytes'>[]> {
    const [first, end] = await Promise.all([
      this.#offsets(topic, partitions, earliest),
      this.#offsets(topic, partitions, latest),
    ]);
    return partitions.map((partition) => ({ first: first.get(partition) ?? 0, end: end.get(partition) ?? 0 }));
  }

  /** The first offset whose record has this timestamp or a later one; undefined when there is none. */
  async offsetAt({ topic, partition }: TopicPartition, timestamp: number): Promise<Offset | undefined> {
    const found = (await this.#offsets(topic, [partition], String(Math.max(0, timestamp)))).get(partition);
    return found === undefined || found < 0 ? undefined : found;
  }

  /** The last record of [from, end) that is one; for an end where markers of transactions may stand. */
  async lastBetween(at: TopicPartition, from: Offset, end: Offset): Promise<LogRecord | undefined> {
    return this.#leaders.whileLeadersMove(at.topic, async () => {
      let last: LogRecord | undefined;
      for (let offset = from; offset < end;) {
        const [read] = await this.read([{ ...at, offset }], 0);
        if (read?.kind === 'failed') throw read.error;
        if (read?.kind !== 'batch' || read.batch.next <= offset) return last;
        last = read.batch.records.at(-1) ?? last;
        offset = read.batch.next;
      }
      return last;
    });
  }

  /** The kafkajs response stops at the first partition with an error: then each is asked alone. */
  async #readAt(leader: number, positions: readonly Position[], maxWaitMs: number): Promise<readonly PartitionRead[]> {
    try {
      return await fetchFrom(await this.#connections.broker(leader), positions, maxWaitMs);
    } catch (error) {
      const [at] = positions;
      if (at !== undefined && positions.length === 1) {
        if (kafkaErrorType(error) === 'OFFSET_OUT_OF_RANGE') return [{ kind: 'outOfRange', at }];
        this.#directory.forget(at.topic);
        return [{ kind: 'failed', at, error }];
      }
      const alone = await Promise.all(positions.map((position) => this.#readAt(leader, [position], 0)));
      return alone.flat();
    }
  }

  async #offsets(
    topic: string,
    partitions: readonly number[],
    timestamp: string,
  ): Promise<ReadonlyMap<number, Offset>> {
    const answers = await this.#leaders.call(topic, partitions, (broker, own) => {
      const topics = [{ topic, partitions: own.map((partition) => ({ partition, timestamp })) }];
      return broker.listOffsets({ replicaId: notAReplica, isolationLevel: readCommitted, topics });
    });
    const found = new Map<number, Offset>();
    for (const { responses } of answers) {
      for (const { partition, offset } of responses.flatMap((response) => response.partitions)) {
        found.set(partition, Number(offset));
      }
    }
    if (found.size < partitions.length) throw topicNotFound(topic);
    return found;
  }
}

/** What kafkajs makes of a fetch response of version 5 to 11. */
interface FetchResponse {
  readonly responses: readonly {
    readonly topicName: string;
    readonly partitions: readonly {
      readonly partition: number;
      /** kafkajs's name for the log start offset. */
      readonly lastStartOffset: string;
      readonly abortedTransactions: readonly AbortedTransaction[] | null;
      readonly messages: readonly FetchedRecord[];
    }[];
  }[];
}

async function fetchFrom(
  broker: FullBroker,
  positions: readonly Position[],
  maxWaitMs: number,
): Promise<readonly PartitionRead[]> {
  const topics = Map.groupBy(positions, ({ topic }) => topic);
  const response = (await broker.fetch({
    isolationLevel: readCommitted,
    maxWaitTime: maxWaitMs,
    minBytes: 1,
    maxBytes: fetchBytes,
    topics: [...topics].map(([topic, own]) => ({
      topic,
      partitions: own.map(({ partition, offset }) => ({
        partition,
        fetchOffset: String(offset),
        maxBytes: fetchPartitionBytes,
      })),
    })),
  })) as FetchResponse;
  const asked = new Map(positions.map((at) => [partitionKey(at), at]));
  return response.responses.flatMap(({ topicName: topic, partitions }) =>
    partitions.flatMap(({ partition, lastStartOffset, abortedTransactions, messages }): readonly PartitionRead[] => {
      const at = asked.get(partitionKey({ topic, partition }));
      if (at === undefined) return [];
      const records = committedRecords(messages, abortedTransactions).filter(
        ({ offset }) => Number(offset) >= at.offset,
      );
      const last = messages.at(-1);
      const next = Math.max(at.offset, last === undefined ? 0 : endOfBatch(last));
      const first = Number(lastStartOffset);
      return [{ kind: 'batch', at, batch: { topic, partition, records: records.map(toLogRecord), first, next } }];
    }),
  );
}
