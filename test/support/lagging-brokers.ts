import type { WireReader, WireWriter } from '../../src/adapters/kafka/wire.ts';
import { answerMetadata } from './metadata-answer.ts';
import { startSmallBrokers, type SmallAnswer, type SmallBroker, type SmallRequest } from './small-broker.ts';

const [listOffsets, metadata] = [2, 3];

/**
 * Brokers of one empty topic that got partitions: each knows of as many as `known` says, in order of the brokers. The first leads them
 * all, those that it has not heard of, too; but for those without a leader.
 */
export async function startLaggingBrokers(
  topic: string,
  known: readonly number[],
  leaderless: readonly number[] = [],
): Promise<readonly SmallBroker[]> {
  const ports: number[] = [];
  const answer = ({ id, apiKey, version, body }: SmallRequest): SmallAnswer => {
    if (apiKey === listOffsets) return (to) => answerOffsets(to, body);
    if (apiKey !== metadata || version !== 12) return undefined;
    const leaders = Array.from({ length: known[id - 1] ?? 0 }, (_, partition) =>
      leaderless.includes(partition) ? -1 : 1,
    );
    return (to) => answerMetadata(to, { topic, port: ports[0] ?? 0, leaders });
  };
  const brokers = await startSmallBrokers(known.length, new Map(), answer);
  ports.push(...brokers.map(({ port }) => port));
  return brokers;
}

/** Every partition that is asked for begins and ends at 0. */
function answerOffsets(answer: WireWriter, request: WireReader): void {
  request.int32(); // replica
  const topics = request.array((topic) => ({
    name: topic.string(),
    partitions: topic.array((asked) => {
      const partition = asked.int32();
      asked.int64(); // timestamp
      return partition;
    }),
  }));
  answer.int32(topics.length);
  for (const { name, partitions } of topics) {
    answer.string(name).int32(partitions.length);
    for (const partition of partitions) answer.int32(partition).int16(0).int64(-1).int64(0);
  }
}
