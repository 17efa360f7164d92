import { ConfigResourceTypes, Kafka, logLevel } from 'kafkajs';
import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { consumeByJava, produceByJava } from '../../../test/support/foreign-client.ts';
import { onKafka, openHastyLog } from '../../../test/support/on-kafka.ts';
import type { TopicPartition } from '../../core/offset.ts';
import type { EventLog, NewRecord } from '../../ports/event-log.ts';
import { identified } from '../../../test/support/identified.ts';
import type { KafkaCompression, KafkaTopicPolicy } from './config.ts';

const waiting = { signal: new AbortController().signal };
const codecs = ['gzip', 'snappy', 'lz4', 'zstd'] as const;
const values = Array.from({ length: 20 }, (_, n) => `${n} ${'to be or not to be, '.repeat(20)}`);

function recordOf(value: string): NewRecord {
  return { value: Buffer.from(value), headers: ['a', '1', 'a', '2'], timestamp: 5 };
}

async function valuesOf(log: EventLog, at: TopicPartition, end: number): Promise<readonly string[]> {
  await using member = await log.join({ group: randomUUID(), member: 'reader' }, waiting);
  await member.subscribe([at.topic], waiting);
  const found: string[] = [];
  for (let next = 0, isSought = false; next < end;) {
    const batches = await member.poll({ maxBytes: 1024 * 1024, maxWaitMs: 200 }, waiting);
    if (!isSought && member.assignment.partitions.length > 0) {
      member.seek(await identified(log, at), 0);
      isSought = true;
    }
    for (const batch of batches) {
      if (batch.failure !== undefined) throw batch.failure;
      found.push(...batch.records.map(({ value }) => Buffer.from(value).toString()));
      next = batch.next;
    }
  }
  return found;
}

/** Settings of topics, as an operator changes them. */
async function administration(brokers: string) {
  const admin = new Kafka({ brokers: brokers.split(','), logLevel: logLevel.NOTHING }).admin();
  await admin.connect();
  const type = ConfigResourceTypes.TOPIC;
  return {
    topics: {
      set: (name: string, setting: string, value: string) =>
        admin.alterConfigs({
          validateOnly: false,
          resources: [{ type, name, configEntries: [{ name: setting, value }] }],
        }),
      /** What the topic itself says; undefined when it has it from its brokers. */
      own: async (name: string, setting: string): Promise<string | undefined> => {
        const { resources } = await admin.describeConfigs({ includeSynonyms: false, resources: [{ type, name }] });
        const found = resources[0]?.configEntries.find(({ configName }) => configName === setting);
        return found?.isDefault === false ? found.configValue : undefined;
      },
    },
    [Symbol.asyncDispose]: () => admin.disconnect(),
  };
}

await onKafka((kafka) => {
  const open = (compression: KafkaCompression = 'none', topics: KafkaTopicPolicy = {}) =>
    openHastyLog(kafka.brokers, { compression, topics });
  const newTopic = async (log: EventLog): Promise<TopicPartition> => {
    const { name } = await log.createTopic({ name: `compression.${randomUUID()}`, partitions: 1 }, waiting);
    return { topic: name, partition: 0 };
  };

  describe('Kafka: compression', () => {
    it('batches of every codec are read by the client that Kafka brings, in their order', async () => {
      await using plain = open();
      const at = await newTopic(plain);
      for (const codec of ['none', ...codecs] as const) {
        await using log = open(codec);
        await log.append(
          at,
          values.map((value) => recordOf(`${codec} ${value}`)),
          waiting,
        );
      }
      const written = ['none', ...codecs].flatMap((codec) => values.map((value) => `${codec} ${value}`));
      expect(await consumeByJava({ brokers: kafka.brokers, topic: at.topic }, written.length)).toEqual(written);
    });

    it('what the client that Kafka brings has compressed is read, with every codec that Kafka has', async () => {
      await using log = open();
      const at = await newTopic(log);
      await produceByJava({ brokers: kafka.brokers, topic: at.topic }, codecs, values);
      const written = codecs.flatMap((codec) => values.map((value) => `${codec} ${value}`));
      expect(await valuesOf(log, at, written.length)).toEqual(written);
    });

    it('a topic that compresses anew, or not at all, changes neither offsets nor records', async () => {
      const { topics, ...admin } = await administration(kafka.brokers);
      await using _ = admin;
      for (const [kept, sent] of [
        ['gzip', 'zstd'],
        ['lz4', 'none'],
        ['snappy', 'gzip'],
        ['zstd', 'snappy'],
        ['uncompressed', 'zstd'],
      ] as const) {
        await using log = open(sent);
        const at = await newTopic(log);
        await topics.set(at.topic, 'compression.type', kept);
        expect(await log.append(at, values.slice(0, 7).map(recordOf), waiting)).toBe(0);
        expect(await log.append(at, values.slice(7).map(recordOf), waiting)).toBe(7);
        expect(await valuesOf(log, at, values.length), `${sent} into ${kept}`).toEqual(values);
      }
    });

    it('topics that are made keep the codec that was asked for; without one they are as the brokers have it', async () => {
      const { topics, ...admin } = await administration(kafka.brokers);
      await using _ = admin;
      for (const [codec, own] of [
        ['zstd', 'producer'],
        ['none', undefined],
      ] as const) {
        await using log = open(codec);
        const { topic } = await newTopic(log);
        expect(await topics.own(topic, 'compression.type'), codec).toBe(own);
      }
    });

    it('D8: the limit of an append is one of its bytes, however small they would travel', async () => {
      await using log = open('zstd', { maxAppendBytes: 100_000 });
      const at = await newTopic(log);
      const append = (bytes: number) => log.append(at, [recordOf('x'.repeat(bytes))], waiting);
      expect(await append(99_000)).toBe(0);
      await expect(append(110_000)).rejects.toMatchObject({ code: 'log.recordTooLarge' });
      expect(await append(99_000)).toBe(1);
    });

    it('a broker keeps less than half of the bytes', async () => {
      const bytesOf = async (codec: KafkaCompression): Promise<number> => {
        await using log = open(codec);
        const at = await newTopic(log);
        await log.append(at, values.map(recordOf), waiting);
        return (await log.ranges(at.topic, waiting))[0]?.bytes ?? 0;
      };
      const plain = await bytesOf('none');
      expect(plain).toBeGreaterThan(8000);
      for (const codec of codecs) expect(await bytesOf(codec), codec).toBeLessThan(plain / 2);
    });
  });
});
