import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { startKafkaBrokers, type KafkaBroker, type KafkaBrokers } from '../../../test/support/kafka-brokers.ts';
import { whereIsKafka } from '../../../test/support/kafka.ts';
import { startToxiproxy, whyNoToxiproxy, type Toxiproxy } from '../../../test/support/toxiproxy.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import type { TopicPartition } from '../../core/offset.ts';
import { cutBelow } from '../../core/progress/cut.ts';
import type { EventLog, RecordBatch } from '../../ports/event-log.ts';
import { openKafkaEventLog } from './event-log.ts';

const waiting = { signal: new AbortController().signal };
const canRun = (await whereIsKafka()).kind === 'started' && (await whyNoToxiproxy()) === undefined;

describe.skipIf(!canRun)('Kafka: three brokers', () => {
  let proxy: Toxiproxy;
  let kafka: KafkaBrokers;
  let log: EventLog;

  beforeAll(async () => {
    proxy = await startToxiproxy();
    kafka = await startKafkaBrokers({ proxy });
    log = openKafkaEventLog({ brokers: kafka.brokers.split(','), clientId: 'millrace-test' });
  }, 900_000);
  afterEach(async () => {
    for (const node of kafka.nodes) {
      node.thaw();
      await node.way?.heal();
    }
  });
  afterAll(async () => {
    await log[Symbol.asyncDispose]();
    await kafka[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const node = (id: number): KafkaBroker => {
    const found = kafka.nodes.find((one) => one.id === id);
    if (found === undefined) throw new Error(`there is no broker ${id}`);
    return found;
  };

  /** A topic of one partition that this broker leads. */
  const ledBy = async (id: number): Promise<TopicPartition> => {
    const topic = `three.${randomUUID()}`;
    await log.createTopic({ name: topic, partitions: 1 }, waiting);
    await kafka.inSync(topic);
    await kafka.moveLeader({ topic, partition: 0 }, id);
    return { topic, partition: 0 };
  };
  /** All batches of a partition that ends there. */
  const read = async (at: TopicPartition, end: number): Promise<readonly RecordBatch[]> => {
    await using member = await log.join({ group: randomUUID(), member: 'test' }, waiting);
    await member.subscribe([at.topic], waiting);
    const batches: RecordBatch[] = [];
    await eventually(async () => {
      await member.poll({ maxBytes: 1, maxWaitMs: 50 }, waiting);
      expect(member.assignment.partitions).toHaveLength(1);
    });
    for (const held of member.assignment.partitions) member.seek(held, 0);
    await eventually(async () => {
      batches.push(...(await member.poll({ maxBytes: 1_000_000, maxWaitMs: 50 }, waiting)));
      expect(batches.at(-1)?.next).toBe(end);
    });
    return batches;
  };
  const append = (at: TopicPartition, text: string, withinMs: number): Promise<number> =>
    log.append(at, [{ value: Buffer.from(text), headers: [], timestamp: Date.now() }], { ...waiting, withinMs });

  it('D8: an append waits for the next leader when its own is killed', async () => {
    const at = await ledBy(2);
    await append(at, 'before', 30_000);
    await node(2).kill();
    expect(await append(at, 'after', 60_000)).toBe(1);
    await node(2).start();
  });

  it('D8: a leader that is silent is left when it leads no more, long before its connection fails', async () => {
    const at = await ledBy(1);
    await append(at, 'before', 30_000);
    await node(1).way?.spoil({ type: 'timeout', stream: 'downstream', attributes: { timeout: 0 } });
    const held = append(at, 'held', 60_000);
    await eventually(() => expect(log.condition(at)).toBe('late'));
    await kafka.moveLeader(at, 3);
    // The silent one may have stored it: then the next leader knows it, and it is there once.
    expect(await held).toBe(1);
    expect(await append(at, 'after', 60_000)).toBe(2);
  });

  it('D2: partitions that were added while a broker hung have their ends, while it hangs and when it goes on', async () => {
    const at = await ledBy(1);
    await node(3).freeze();
    await log.growTopic(at.topic, 6, waiting);
    // Once the hanging one is fenced the others lead everything.
    await eventually(async () => expect(await log.ranges(at.topic, waiting)).toHaveLength(6));
    node(3).thaw();
    await using another = openKafkaEventLog({ brokers: kafka.brokers.split(','), clientId: 'millrace-test' });
    expect(await another.ranges(at.topic, waiting)).toHaveLength(6);
    await kafka.inSync(at.topic);
  });

  it('D2: events of two leaders come in batches of their own, and the epoch of the first ends where the second began', async () => {
    const at = await ledBy(1);
    for (const text of ['a', 'b']) await append(at, text, 30_000);
    await kafka.moveLeader(at, 3);
    await append(at, 'c', 60_000);
    const batches = await read(at, 3);
    expect(batches.map(({ records }) => records.map(({ value }) => Buffer.from(value).toString()))).toEqual([
      ['a', 'b'],
      ['c'],
    ]);
    const [held] = batches;
    const [first = -1, second = -1] = batches.map(({ epoch }) => epoch);
    if (held === undefined) throw new Error('nothing was read');
    expect(second).toBeGreaterThan(first);
    expect(await log.epochEnd(held, first, waiting)).toEqual({ epoch: first, end: 2 });
    expect(await log.epochEnd(held, second, waiting)).toEqual({ epoch: second, end: 3 });
    // What retention took is not what an election lost.
    await log.trim(held, 3, waiting);
    const found = await log.epochEnd(held, first, waiting);
    expect(found && cutBelow({ position: 1, epoch: first }, found)).toBeUndefined();
    await log.deleteTopic(at.topic, waiting);
    await log.createTopic({ name: at.topic, partitions: 1 }, waiting);
    await expect(log.epochEnd(held, first, waiting)).rejects.toMatchObject({ code: 'progress.topicChanged' });
  });

  it('D8: with too few replicas appends are refused, at once after the first, and taken again by themselves', async () => {
    const at = await ledBy(1);
    await append(at, 'before', 30_000);
    await Promise.all([node(2).kill(), node(3).kill()]);
    await expect(append(at, 'first', 6000)).rejects.toBeInstanceOf(MillraceError);
    await eventually(() => expect(log.condition(at)).toBe('refusing'));
    await expect(append(at, 'second', 60_000)).rejects.toMatchObject({ code: 'log.refused' });
    await Promise.all([node(2).start(), node(3).start()]);
    await eventually(() => append(at, 'third', 5000), { withinMs: 90_000 });
    expect(log.condition(at)).toBe('well');
  });
});
