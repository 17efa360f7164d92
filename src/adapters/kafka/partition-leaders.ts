import { setTimeout as sleep } from 'node:timers/promises';
import type { FullBroker } from './broker.ts';
import type { KafkaConnections } from './client.ts';
import { isPassing } from './errors.ts';
import { patienceMs, patienceStepMs } from './config.ts';
import type { TopicDirectory } from './topic-directory.ts';

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

  /**
   * Repeats the work, which must ask the directory for leaders, for some seconds while it meets brokers that do not lead or
   * cannot be reached.
   */
  async whileLeadersMove<T>(topic: string, work: () => Promise<T>): Promise<T> {
    for (const deadline = performance.now() + patienceMs; ;) {
      try {
        return await work();
      } catch (thrown) {
        this.#directory.forget(topic);
        if (!isPassing(thrown) || this.#connections.isClosing || performance.now() > deadline) throw thrown;
        await sleep(patienceStepMs);
      }
    }
  }
}
