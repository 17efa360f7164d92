import { setTimeout as sleep } from 'node:timers/promises';
import type { FullBroker } from './broker.ts';
import type { KafkaConnections } from './client.ts';
import { kafkaErrorType } from './errors.ts';
import type { TopicDirectory } from './topic-directory.ts';

/** Said by a broker that is not the leader any more, or not yet: of a topic made a moment ago, or after a failover. */
const leaderMoves: ReadonlySet<string | undefined> = new Set([
  'NOT_LEADER_FOR_PARTITION',
  'LEADER_NOT_AVAILABLE',
  'REPLICA_NOT_AVAILABLE',
  'FENCED_LEADER_EPOCH',
  'UNKNOWN_LEADER_EPOCH',
  'UNKNOWN_TOPIC_OR_PARTITION',
]);

const retryMs = 50;
const maxTries = 100;

/** Requests to the leaders of partitions. */
export class PartitionLeaders {
  readonly #connections: KafkaConnections;
  readonly #directory: TopicDirectory;

  constructor(connections: KafkaConnections, directory: TopicDirectory) {
    this.#connections = connections;
    this.#directory = directory;
  }

  /** One call to each leader with the partitions that it leads, together while leaders move. `log.topicNotFound`. */
  async call<T>(
    topic: string,
    partitions: readonly number[],
    call: (broker: FullBroker, own: readonly number[]) => Promise<T>,
  ): Promise<readonly T[]> {
    return this.whileLeadersMove(topic, async () => {
      const byLeader = new Map<number, number[]>();
      for (const partition of partitions) {
        const leader = await this.#directory.leader({ topic, partition });
        byLeader.set(leader, [...(byLeader.get(leader) ?? []), partition]);
      }
      return Promise.all([...byLeader].map(async ([leader, own]) => call(await this.#connections.broker(leader), own)));
    });
  }

  /** Repeats the work, which must ask the directory for leaders, as long as it meets brokers that do not lead. */
  async whileLeadersMove<T>(topic: string, work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (thrown) {
        this.#directory.forget(topic);
        if (!leaderMoves.has(kafkaErrorType(thrown)) || tries === maxTries) throw thrown;
        await sleep(retryMs);
      }
    }
  }
}
