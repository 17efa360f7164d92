import { Kafka, logLevel } from 'kafkajs';
import { eventually } from './eventually.ts';

/** Topics of plain Kafka, filled as any producer would; those that it made go with it. */
export interface KafkaTopics extends AsyncDisposable {
  create(topic: string, partitions: number): Promise<void>;
  /** Appends values to partition 0, or in turn to all partitions; null is a tombstone. Resolves when they are acknowledged. */
  append(topic: string, values: readonly (string | null)[], partitions?: number): Promise<void>;
  /** Records that a group has read and committed, over all partitions. */
  committed(group: string, topic: string): Promise<number>;
}

export async function openKafkaTopics(brokers: string): Promise<KafkaTopics> {
  const kafka = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING });
  const admin = kafka.admin();
  const producer = kafka.producer({ idempotent: true, maxInFlightRequests: 1 });
  await Promise.all([admin.connect(), producer.connect()]);
  const made: string[] = [];
  return {
    create: async (topic, numPartitions) => {
      made.push(topic);
      // kafkajs's own waiting for leaders gives up when the topic is not known to a broker yet.
      await admin.createTopics({ waitForLeaders: false, topics: [{ topic, numPartitions, replicationFactor: 1 }] });
      await eventually(async () => {
        const [known] = (await admin.fetchTopicMetadata({ topics: [topic] })).topics;
        if (known?.partitions.every(({ leader }) => leader >= 0) !== true) throw new Error(`${topic} has no leader`);
      });
    },
    append: async (topic, values, partitions = 1) => {
      const portion = 1000;
      for (let start = 0; start < values.length; start += portion) {
        const messages = values.slice(start, start + portion).map((value, at) => ({
          key: null,
          value,
          partition: (start + at) % partitions,
        }));
        await producer.send({ topic, messages });
      }
    },
    committed: async (groupId, topic) => {
      const [found] = await admin.fetchOffsets({ groupId, topics: [topic] });
      return (found?.partitions ?? []).reduce((sum, { offset }) => sum + Math.max(0, Number(offset)), 0);
    },
    [Symbol.asyncDispose]: async () => {
      if (made.length > 0) await admin.deleteTopics({ topics: made });
      await Promise.all([admin.disconnect(), producer.disconnect()]);
    },
  };
}
