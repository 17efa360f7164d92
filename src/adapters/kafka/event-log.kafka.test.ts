import { randomUUID } from 'node:crypto';
import { CompressionTypes, Kafka, Partitioners, logLevel, type Producer } from 'kafkajs';
import { describe, expect, it } from 'vitest';
import { parseInstallationId } from '../../core/installation-id.ts';
import type { TopicPartition } from '../../core/offset.ts';
import type { EventLog, RecordBatch } from '../../ports/event-log.ts';
import { eventLogContract } from '../../../test/contract/event-log.contract.ts';
import { beginForeignTransaction } from '../../../test/support/foreign-transaction.ts';
import { onKafka, openHastyLog } from '../../../test/support/on-kafka.ts';
import { openKafkaEventLog } from './event-log.ts';
import { identified } from '../../../test/support/identified.ts';

const waiting = { signal: new AbortController().signal };

await onKafka((kafka) => {
  const open = (installationTopic = 'millrace-installation') => openHastyLog(kafka.brokers, { installationTopic });

  eventLogContract('Kafka', async () => {
    const installationTopic = `millrace-installation.${randomUUID()}`;
    return {
      open: async () => open(installationTopic),
      [Symbol.asyncDispose]: async () => {},
    };
  });

  describe('Kafka: the mark of the installation', () => {
    const [mine, another] = [parseInstallationId(randomUUID()), parseInstallationId(randomUUID())];
    const newMark = () => `millrace-installation.${randomUUID()}`;
    const recordOf = (value: object) => ({ value: Buffer.from(JSON.stringify(value)), headers: [], timestamp: 1 });

    it('D2: is the first record of its topic, also where several were written, and Kafka never removes it', async () => {
      const topic = newMark();
      const options = { brokers: kafka.brokers.split(','), clientId: 'millrace-test', installationTopic: topic };
      await using log = openKafkaEventLog({ ...options, topics: { retentionMs: 1000, retentionBytes: 1000 } });
      expect(await log.claim(mine, waiting)).toBe(mine);
      const late = recordOf({ installation: another, more: 'x'.repeat(500_000) });
      for (let count = 0; count < 3; count += 1) await log.append({ topic, partition: 0 }, [late], waiting);
      expect(await log.claimant(waiting)).toBe(mine);
      expect(await log.claim(another, waiting)).toBe(mine);
      expect(await log.describeTopic(topic, waiting)).toMatchObject({ partitions: 1 });
      expect(await log.removal(topic, waiting)).toBeUndefined();
    });

    it('D2: is of nobody where it says nothing, or its beginning is gone', async () => {
      const topic = newMark();
      await using log = open(topic);
      const { identity } = await log.createTopic({ name: topic, partitions: 1 }, waiting);
      expect(await log.claimant(waiting)).toBeUndefined();
      await log.append({ topic, partition: 0 }, [recordOf({})], waiting);
      await expect(log.claimant(waiting)).rejects.toMatchObject({ code: 'installation.unmarked' });
      await log.append({ topic, partition: 0 }, [recordOf({ installation: another })], waiting);
      await log.trim({ topic, identity, partition: 0 }, 1, waiting);
      for (const ask of [() => log.claimant(waiting), () => log.claim(mine, waiting)])
        await expect(ask()).rejects.toMatchObject({ code: 'installation.unmarked' });
    });
  });

  describe('Kafka: records of other producers', () => {
    const foreign = async (use: (producer: Producer) => Promise<void>, transactionalId?: string) => {
      const config = { allowAutoTopicCreation: false, createPartitioner: Partitioners.DefaultPartitioner };
      const producer = new Kafka({ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING }).producer({
        ...config,
        ...(transactionalId === undefined ? {} : { transactionalId, idempotent: true, maxInFlightRequests: 1 }),
      });
      await producer.connect();
      await use(producer);
      await producer.disconnect();
    };
    const newTopic = async (log: EventLog) => {
      const topic = `foreign.${randomUUID()}`;
      await log.createTopic({ name: topic, partitions: 1 }, waiting);
      return { topic, partition: 0 };
    };
    const readAll = async (log: EventLog, at: TopicPartition, end: number) => {
      await using member = await log.join({ group: randomUUID(), member: 'reader' }, waiting);
      await member.subscribe([at.topic], waiting);
      const batches: RecordBatch[] = [];
      for (;;) {
        const { generation } = member.assignment;
        batches.push(...(await member.poll({ maxBytes: 1_000_000, maxWaitMs: 1000 }, waiting)));
        if (member.assignment.generation !== generation) member.seek(await identified(log, at), 0);
        if ((batches.at(-1)?.next ?? 0) >= end) return batches;
      }
    };

    it('D4: markers and aborted records of transactions are offsets without a record, also at the end', async () => {
      await using log = open();
      const at = await newTopic(log);
      const send = (outcome: 'commit' | 'abort', values: readonly string[]) =>
        foreign(async (producer) => {
          const transaction = await producer.transaction();
          await transaction.send({ topic: at.topic, messages: values.map((value) => ({ value })) });
          await transaction[outcome]();
        }, randomUUID());
      const end = 3 + 2 + 2 + 3;
      // Brokers write a marker after they have answered: the next transaction waits for it, so that its offsets are known.
      const endsAt = async (offset: number): Promise<void> => {
        const ranges = () => log.ranges(at.topic, waiting);
        await expect.poll(ranges).toMatchObject([{ first: 0, durableEnd: offset }]);
      };
      await send('commit', ['a', 'b']);
      await endsAt(3);
      await send('abort', ['c']);
      await endsAt(3 + 2);
      await send('commit', ['d']);
      await endsAt(3 + 2 + 2);
      await send('abort', ['e', 'f']);
      await endsAt(end);
      const batches = await readAll(log, at, end);
      const records = batches.flatMap((batch) => batch.records);
      expect(records.map(({ offset, value }) => [offset, Buffer.from(value).toString()])).toEqual([
        [0, 'a'],
        [1, 'b'],
        [5, 'd'],
      ]);
      expect(batches.at(-1)?.next).toBe(end);
      expect(await log.lastRecord(at, waiting)).toMatchObject({ offset: 5 });
    });

    it.each(['commit', 'abort'] as const)(
      'D2: behind an open transaction the durable end goes on and the stable one waits for it, also when it ends in %s',
      async (outcome) => {
        await using log = open();
        const at = await newTopic(log);
        const append = (texts: readonly string[]) =>
          log.append(
            at,
            texts.map((text) => ({ value: Buffer.from(text), headers: [], timestamp: 1 })),
            waiting,
          );
        const range = async () => (await log.ranges(at.topic, waiting))[0];
        await append(['a', 'b', 'c']);
        await using transaction = await beginForeignTransaction(kafka.brokers, at, ['t']);
        expect(await append(['d', 'e', 'f', 'g', 'h'])).toBe(4);
        expect(await range()).toMatchObject({ first: 0, stableEnd: 3, durableEnd: 9 });
        expect(await log.lastRecord(at, waiting)).toMatchObject({ offset: 2 });
        expect(await log.offsetForTime(at, 2, waiting)).toBe(3);
        expect(await log.append(at, [], waiting)).toBe(9);
        await transaction.end(outcome);
        await expect.poll(range).toMatchObject({ stableEnd: 10, durableEnd: 10 });
        const texts = (await readAll(log, at, 10)).flatMap(({ records }) =>
          records.map(({ value }) => Buffer.from(value).toString()),
        );
        expect(texts).toEqual(['a', 'b', 'c', ...(outcome === 'commit' ? ['t'] : []), 'd', 'e', 'f', 'g', 'h']);
      },
    );

    it('without a value or headers, with a key and compressed, are read', async () => {
      await using log = open();
      const at = await newTopic(log);
      await foreign(async (producer) => {
        const messages = [
          { key: 'k', value: null, timestamp: '5' },
          { value: 'x'.repeat(5000), timestamp: '6' },
        ];
        await producer.send({ topic: at.topic, messages, compression: CompressionTypes.GZIP });
      });
      const [tombstone, compressed] = (await readAll(log, at, 2)).flatMap((batch) => batch.records);
      expect(tombstone).toMatchObject({ offset: 0, timestamp: 5, headers: [], valueStart: 0, valueEnd: 0 });
      expect(tombstone?.value.byteLength).toBe(0);
      expect(compressed?.value.byteLength).toBe(5000);
    });

    it('D2: brokers say what they remove of a topic by themselves', async () => {
      const topics = { retentionMs: 604_800_000, retentionBytes: 1_000_000 };
      const options = { brokers: kafka.brokers.split(','), clientId: 'millrace-test', topics };
      await using log = openKafkaEventLog(options);
      const { topic } = await newTopic(log);
      expect(await log.removal(topic, waiting)).toEqual({ maxAgeMs: 604_800_000, maxBytes: 1_000_000 });
    });

    it('D6: a topic that went does not keep the log from the others', async () => {
      await using log = open();
      await using other = open();
      const [gone, stays] = [await newTopic(log), await newTopic(log)];
      const append = (at: TopicPartition) =>
        log.append(at, [{ value: Buffer.from('x'), headers: [], timestamp: 1 }], waiting);
      await Promise.all([append(gone), append(stays)]);
      await other.deleteTopic(gone.topic, waiting);
      await expect(append(gone)).rejects.toMatchObject({ name: 'MillraceError' });
      expect(await append(stays)).toBe(1);
      expect(await append(await newTopic(log))).toBe(0);
    });
  });
});
