import type { EpochEnd } from '../../core/progress/cut.ts';
import type { TopicPartition } from '../../core/offset.ts';
import { sendRaw, type FullBroker } from './broker.ts';
import { BrokerError } from './error-codes.ts';
import { WireReader, WireWriter } from './wire.ts';

export interface AskedEpoch {
  readonly epoch: number;
  /** The newest known epoch of the partition: a broker that knows only earlier ones no longer leads it, and refuses. */
  readonly leaderEpoch: number;
}

/** The last flexible version; it names topics, not their ids. */
const apiVersion = 4;
const notAReplica = -1;
const unknown = -1;

/** Asks the leader of a partition where an epoch ends; undefined when it knows nothing of it. */
export function askEpochEnd(
  broker: FullBroker,
  { topic, partition }: TopicPartition,
  { epoch, leaderEpoch }: AskedEpoch,
): Promise<EpochEnd | undefined> {
  const one = 1;
  const request = new WireWriter().noTaggedFields().int32(notAReplica).compactLength(one).compactString(topic);
  request.compactLength(one).int32(partition).int32(leaderEpoch).int32(epoch).noTaggedFields();
  const bytes = request.noTaggedFields().noTaggedFields().bytes();
  return sendRaw(broker, { apiKey: 23, apiVersion, apiName: 'OffsetForLeaderEpoch', bytes, read: readAnswer });
}

function readAnswer(bytes: Buffer): EpochEnd | undefined {
  const response = new WireReader(bytes);
  response.skipTaggedFields();
  response.int32(); // throttle time
  const [found] = response
    .compactArray((topic) => {
      topic.compactString(); // name
      const partitions = topic.compactArray(readPartition);
      topic.skipTaggedFields();
      return partitions;
    })
    .flat();
  return found === undefined || found.epoch === unknown || found.end === unknown ? undefined : found;
}

function readPartition(response: WireReader): EpochEnd {
  const error = response.int16();
  response.int32(); // partition
  const [epoch, end] = [response.int32(), response.int64()];
  response.skipTaggedFields();
  if (error !== 0) throw new BrokerError(error);
  return { epoch, end };
}
