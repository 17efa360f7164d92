import { logBehind } from '../../core/log-behind.ts';
import { messageOf, MillraceError } from '../../core/millrace-error.ts';
import type { Offset, TopicPartition } from '../../core/offset.ts';
import type { EpochEnd } from '../../core/progress/cut.ts';
import type { LogRecord, PartitionEnds, RecordBatch } from '../../ports/event-log.ts';
import type { AnswerObserver } from '../../telemetry/observe-appends.ts';
import type { KafkaConnections } from './client.ts';
import { emptyBatch } from './empty-batch.ts';
import { askEpochEnd } from './epoch-end-request.ts';
import { BrokerError } from './error-codes.ts';
import { fromKafka, isPassing, topicNotFound } from './errors.ts';
import { fetchPositions, type FetchedPartition, type Position } from './fetch-request.ts';
import { PartitionLeaders } from './partition-leaders.ts';
import { committedRecords, decodeBatches, type DecodedBatch } from './record-batch.ts';
import type { TopicDirectory } from './topic-directory.ts';

/** Answer for one position. */
export type PartitionRead =
  | { readonly kind: 'batch'; readonly at: Position; readonly batch: RecordBatch }
  /** The log holds nothing at this position: it begins later, or ends earlier. */
  | { readonly kind: 'outOfRange'; readonly at: Position }
  /** `isPassing`: the partition moves, or its broker is away. */
  | {
      readonly kind: 'failed';
      readonly at: Position;
      readonly error: MillraceError;
      readonly isPassing: boolean;
      readonly cause: Error;
    };

/** Special timestamps of ListOffsets. */
const latest = '-1';
const earliest = '-2';
/** Which offset counts as the last: with open transactions the high watermark, without them the last stable offset. */
type Isolation = 'uncommitted' | 'committed';
const isolationLevels: Readonly<Record<Isolation, number>> = { uncommitted: 0, committed: 1 };
const notAReplica = -1;

const unknownTopicId = 100;

/** Reads partitions at the leaders, without a group and without a position of Kafka's own. */
export class PartitionReads {
  readonly #connections: KafkaConnections;
  readonly #directory: TopicDirectory;
  readonly #leaders: PartitionLeaders;
  readonly #observer: AnswerObserver | undefined;

  constructor(connections: KafkaConnections, directory: TopicDirectory, observer?: AnswerObserver) {
    this.#observer = observer;
    this.#connections = connections;
    this.#directory = directory;
    this.#leaders = new PartitionLeaders(connections, directory);
  }

  /**
   * The leaders, each with its positions; positions that have no leader now, or whose leader could not be asked for,
   * fail.
   */
  async byLeader(positions: readonly Position[]): Promise<{
    readonly byLeader: ReadonlyMap<number, readonly Position[]>;
    readonly failed: readonly PartitionRead[];
  }> {
    const byLeader = new Map<number, Position[]>();
    const failed: PartitionRead[] = [];
    for (const at of positions) {
      if (this.#connections.isClosing) break;
      try {
        const leader = await this.#directory.leader(at);
        const own = byLeader.get(leader);
        if (own === undefined) byLeader.set(leader, [at]);
        else own.push(at);
      } catch (thrown) {
        failed.push(this.#failed(at, thrown));
      }
    }
    return { byLeader, failed };
  }

  /**
   * One request to the leader; it waits up to `maxWaitMs` while none of the partitions has anything. One answer for each
   * position, in any order; a failure of one is not one of the others. Never rejects.
   */
  async readAt(leader: number, positions: readonly Position[], maxWaitMs: number): Promise<readonly PartitionRead[]> {
    try {
      const broker = await this.#connections.broker(leader);
      const began = performance.now();
      const fetched = await fetchPositions(broker, positions, maxWaitMs);
      const answeredMs = performance.now() - began;
      const reads = fetched.map((partition) => this.#readOf(partition));
      if (reads.some((read) => read.kind === 'batch' && read.batch.records.length > 0))
        this.#observer?.answered('fetch', answeredMs);
      return reads;
    } catch (thrown) {
      return positions.map((at) => this.#failed(at, thrown));
    }
  }

  /**
   * The answer for a position that the log does not hold. One that retention took becomes an empty batch which begins
   * and ends where the log begins now. One past the end is a failure, whatever the end is by now.
   */
  async outside(at: Position): Promise<PartitionRead> {
    const { topic, partition, offset } = at;
    try {
      const [range] = await this.ranges(topic, [partition]);
      const { first, durableEnd: end } = range ?? { first: 0, durableEnd: 0 };
      // Ranges are asked for by name: they are those of the topic that was read if it is still there.
      if ((await this.#directory.describe(topic))?.identity !== at.identity) throw new BrokerError(unknownTopicId);
      if (offset < first) return { kind: 'batch', at, batch: emptyBatch(at, { first, next: first }) };
      const failure = logBehind(at, { offset, end });
      return { kind: 'batch', at, batch: emptyBatch(at, { first, next: offset, failure }) };
    } catch (thrown) {
      return this.#failed(at, thrown);
    }
  }

  /**
   * First offset and both ends, in order of partition, asked of the leaders. `log.topicNotFound`. The answers are not of one moment:
   * what was stable in any of them is durable, too.
   */
  async ranges(topic: string, partitions: readonly number[]): Promise<readonly PartitionEnds[]> {
    const [first, stable, durable] = await Promise.all([
      this.#offsets(topic, partitions, { timestamp: earliest, isolation: 'committed' }),
      this.#offsets(topic, partitions, { timestamp: latest, isolation: 'committed' }),
      this.#offsets(topic, partitions, { timestamp: latest, isolation: 'uncommitted' }),
    ]);
    return partitions.map((partition) => {
      const stableEnd = stable.get(partition) ?? 0;
      const durableEnd = Math.max(stableEnd, durable.get(partition) ?? 0);
      return { first: first.get(partition) ?? 0, stableEnd, durableEnd };
    });
  }

  /** What the leader has of an epoch; undefined when it knows nothing of it. */
  async epochEnd(at: TopicPartition, epoch: number): Promise<EpochEnd | undefined> {
    const [found] = await this.#leaders.call(at.topic, [at.partition], async (broker) => {
      const known = (await this.#directory.topic(at.topic)).epochs[at.partition] ?? epoch;
      return askEpochEnd(broker, at, { epoch, leaderEpoch: Math.max(known, epoch) });
    });
    return found;
  }

  /** The first offset whose record has this timestamp or a later one; undefined when there is none. */
  async offsetAt({ topic, partition }: TopicPartition, timestamp: number): Promise<Offset | undefined> {
    const asked = { timestamp: String(Math.max(0, timestamp)), isolation: 'committed' } as const;
    const found = (await this.#offsets(topic, [partition], asked)).get(partition);
    return found === undefined || found < 0 ? undefined : found;
  }

  /** What stands at the position, of its leader; empty when it ends there, or begins later. */
  async batchAt(at: Position): Promise<RecordBatch> {
    return this.#leaders.whileLeadersMove(at.topic, async () => {
      const [read] = await this.readAt(await this.#directory.leader(at), [at], 0);
      const found = read?.kind === 'outOfRange' ? await this.outside(at) : read;
      if (found?.kind === 'batch') return found.batch;
      throw found?.kind === 'failed' ? found.cause : topicNotFound(at.topic, at.partition);
    });
  }

  /** The last record of [from, end) that is one; for an end where markers of transactions may stand. */
  async lastBetween(at: TopicPartition, from: Offset, end: Offset): Promise<LogRecord | undefined> {
    return this.#leaders.whileLeadersMove(at.topic, async () => {
      let last: LogRecord | undefined;
      for await (const { records } of this.#batches(at, from, end)) last = records.at(-1) ?? last;
      return last;
    });
  }

  /** The first record of [from, end) that is one. */
  async firstBetween(at: TopicPartition, from: Offset, end: Offset): Promise<LogRecord | undefined> {
    return this.#leaders.whileLeadersMove(at.topic, async () => {
      for await (const {
        records: [first],
      } of this.#batches(at, from, end))
        if (first !== undefined) return first;
      return undefined;
    });
  }

  /** What holds [from, end), as far as it can be read on. */
  async *#batches(at: TopicPartition, from: Offset, end: Offset): AsyncGenerator<RecordBatch> {
    for (let offset = from; offset < end;) {
      const leader = await this.#directory.leader(at);
      const { identity } = await this.#directory.topic(at.topic);
      const [read] = await this.readAt(leader, [{ ...at, identity, offset }], 0);
      if (read?.kind === 'failed') throw read.cause;
      if (read?.kind !== 'batch') return;
      if (read.batch.failure !== undefined) throw read.batch.failure;
      if (read.batch.next <= offset) return;
      yield read.batch;
      offset = read.batch.next;
    }
  }

  #readOf(fetched: FetchedPartition): PartitionRead {
    const { at, error } = fetched;
    if (error?.type === 'OFFSET_OUT_OF_RANGE') return { kind: 'outOfRange', at };
    return error === undefined ? { kind: 'batch', at, batch: batchOf(fetched) } : this.#failed(at, error);
  }

  #failed(at: Position, thrown: unknown): PartitionRead {
    this.#directory.forget(at.topic);
    const { topic, partition } = at;
    const what = `cannot read partition ${partition} of topic "${topic}"`;
    const error = MillraceError.fromUnknown(fromKafka(thrown, what, { topic, partition }), 'log.unavailable');
    return { kind: 'failed', at, error, isPassing: isPassing(thrown), cause: thrown instanceof Error ? thrown : error };
  }

  async #offsets(
    topic: string,
    partitions: readonly number[],
    { timestamp, isolation }: { readonly timestamp: string; readonly isolation: Isolation },
  ): Promise<ReadonlyMap<number, Offset>> {
    const answers = await this.#leaders.call(topic, partitions, (broker, own) => {
      const topics = [{ topic, partitions: own.map((partition) => ({ partition, timestamp })) }];
      return broker.listOffsets({ replicaId: notAReplica, isolationLevel: isolationLevels[isolation], topics });
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

/**
 * What was fetched of a partition, up to the end of the first epoch in it. A batch that cannot be decoded is a failure,
 * which comes after the records before it.
 */
function batchOf({ at, first, aborted, bytes }: FetchedPartition): RecordBatch {
  const { topic, identity, partition, offset } = at;
  const decoded: DecodedBatch[] = [];
  let failure: MillraceError | undefined;
  try {
    decodeBatches(bytes, decoded);
  } catch (thrown) {
    failure = decoded.length > 0 ? undefined : undecodable(at, thrown);
  }
  const epoch = decoded[0]?.epoch;
  const batches = ofEpoch(decoded, epoch);
  const records = committedRecords(batches, aborted).filter((record) => record.offset >= offset);
  const next = Math.max(offset, (batches.at(-1)?.lastOffset ?? -1) + 1);
  const told = { ...(failure === undefined ? {} : { failure }), ...(epoch === undefined ? {} : { epoch }) };
  return { topic, identity, partition, records, first, next, missing: 'none', ...told };
}

/** What comes after them is fetched again. */
function ofEpoch(batches: readonly DecodedBatch[], epoch: number | undefined): readonly DecodedBatch[] {
  const end = batches.findIndex((batch) => batch.epoch !== epoch);
  return end === -1 ? batches : batches.slice(0, end);
}

/** Nothing before it is left to read: whoever reads the partition is told. */
function undecodable({ topic, partition, offset }: Position, cause: unknown): MillraceError {
  const reason = messageOf(cause);
  const message = `the records at offset ${offset} of partition ${partition} of topic "${topic}" cannot be decoded: ${reason}`;
  return new MillraceError('log.undecodable', message, { cause, details: { topic, partition, offset } });
}
