import { sendRaw, type FullBroker } from './broker.ts';
import { WireReader, WireWriter } from './wire.ts';

/**
 * Bytes that partitions of a topic take on the broker's disk, by partition; without those that it does not hold or may
 * not tell. (DescribeLogDirs, version 1.)
 */
export function partitionBytes(
  broker: FullBroker,
  topic: string,
  partitions: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const request = new WireWriter().int32(1).string(topic).int32(partitions.length);
  for (const partition of partitions) request.int32(partition);
  const bytes = request.bytes();
  return sendRaw(broker, { apiKey: 35, apiVersion: 1, apiName: 'DescribeLogDirs', bytes, read: readSizes });
}

function readSizes(bytes: Buffer): ReadonlyMap<number, number> {
  const response = new WireReader(bytes);
  const sizes = new Map<number, number>();
  response.int32(); // throttle time
  response.array((folder) => {
    folder.int16(); // error: a folder that failed names no topics
    folder.string();
    folder.array((topic) => {
      topic.string();
      topic.array((replica) => {
        const partition = replica.int32();
        const size = replica.int64();
        replica.int64(); // lag
        const isFuture = replica.int8() !== 0;
        if (!isFuture) sizes.set(partition, size);
      });
    });
  });
  return sizes;
}
