import type { Offset } from '../../core/offset.ts';
import type { IdentifiedPartition } from '../../ports/event-log.ts';
import { sendRaw, type FullBroker } from './broker.ts';
import { fetchBytes, fetchPartitionBytes, fetchTimeoutMs } from './config.ts';
import { BrokerError } from './error-codes.ts';
import type { AbortedTransaction } from './record-batch.ts';
import { WireReader, WireWriter } from './wire.ts';

/** Where a partition is to be read. */
export interface Position extends IdentifiedPartition {
  readonly offset: Offset;
}

/** What a broker gave for one position. */
export interface FetchedPartition {
  readonly at: Position;
  readonly error: BrokerError | undefined;
  /** The first offset that the partition holds. */
  readonly first: Offset;
  readonly aborted: readonly AbortedTransaction[];
  /** Batches, the last one perhaps cut. */
  readonly bytes: Buffer;
}

/** The first that names topics by their ids, so that one which was made anew is not read for the one before. */
const apiVersion = 13;
const notAReplica = -1;
/** Only what is committed: open transactions are not read. */
const readCommitted = 1;
const noSession = -1;
const unknownEpoch = -1;
const unknownOffset = -1;
const noEpochYet = -1;

/** Asks the leader of the positions; the broker waits up to `maxWaitMs` while there is nothing. */
export function fetchPositions(
  broker: FullBroker,
  positions: readonly Position[],
  maxWaitMs: number,
): Promise<readonly FetchedPartition[]> {
  const topics = Map.groupBy(positions, ({ identity }) => identity);
  const minBytes = 1;
  const request = new WireWriter(256 + 64 * positions.length);
  request.noTaggedFields();
  request.int32(notAReplica).int32(maxWaitMs).int32(minBytes).int32(fetchBytes).int8(readCommitted);
  request.int32(0).int32(noSession).compactLength(topics.size);
  for (const [identity, own] of topics) {
    request.uuid(identity).compactLength(own.length);
    for (const { partition, offset } of own) {
      request.int32(partition).int32(unknownEpoch).int64(offset).int32(noEpochYet).int64(unknownOffset);
      request.int32(fetchPartitionBytes).noTaggedFields();
    }
    request.noTaggedFields();
  }
  const [forgottenTopics, rack] = [0, ''];
  const bytes = request.compactLength(forgottenTopics).compactString(rack).noTaggedFields().bytes();
  const asked = new Map(positions.map((at) => [askedKey(at), at]));
  const read = (answer: Buffer) => readAnswer(answer, asked);
  return sendRaw(broker, { apiKey: 1, apiVersion, apiName: 'Fetch', bytes, timeoutMs: fetchTimeoutMs, read });
}

function askedKey({ identity, partition }: Pick<Position, 'identity' | 'partition'>): string {
  return `${identity}/${partition}`;
}

function readAnswer(bytes: Buffer, asked: ReadonlyMap<string, Position>): readonly FetchedPartition[] {
  const response = new WireReader(bytes);
  response.skipTaggedFields();
  response.int32(); // throttle time
  const error = response.int16();
  if (error !== 0) throw new BrokerError(error);
  response.int32(); // session
  return response
    .compactArray((reader) => {
      const identity = reader.uuid();
      const partitions = reader.compactArray((of) => readPartition(of, identity, asked));
      reader.skipTaggedFields();
      return partitions;
    })
    .flat()
    .filter((found) => found !== undefined);
}

function readPartition(
  reader: WireReader,
  identity: string,
  asked: ReadonlyMap<string, Position>,
): FetchedPartition | undefined {
  const at = asked.get(askedKey({ identity, partition: reader.int32() }));
  const error = reader.int16();
  reader.int64(); // high watermark
  reader.int64(); // last stable offset
  const first = reader.int64();
  const aborted = reader.compactArray((one) => {
    const transaction = { producerId: one.bigint64(), firstOffset: one.int64() };
    one.skipTaggedFields();
    return transaction;
  });
  reader.int32(); // preferred replica
  const bytes = reader.compactBytes();
  reader.skipTaggedFields();
  return at && { at, error: error === 0 ? undefined : new BrokerError(error), first, aborted, bytes };
}
