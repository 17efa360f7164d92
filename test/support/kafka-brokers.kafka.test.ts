import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openKafkaEventLog } from '../../src/adapters/kafka/event-log.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { eventually } from './eventually.ts';
import { whereIsKafka } from './kafka.ts';
import { startKafkaBrokers, type KafkaBrokers } from './kafka-brokers.ts';
import { startToxiproxy, whyNoToxiproxy, type Toxiproxy } from './toxiproxy.ts';

const waiting = { signal: new AbortController().signal };
const canRun = (await whereIsKafka()).kind === 'started' && (await whyNoToxiproxy()) === undefined;

describe.skipIf(!canRun)('three brokers for tests', () => {
  let proxy: Toxiproxy;
  let kafka: KafkaBrokers;
  let log: EventLog;

  beforeAll(async () => {
    proxy = await startToxiproxy();
    kafka = await startKafkaBrokers({ proxy });
    log = openKafkaEventLog({ brokers: kafka.brokers.split(','), clientId: 'test' });
  }, 900_000);
  afterAll(async () => {
    await log[Symbol.asyncDispose]();
    await kafka[Symbol.asyncDispose]();
    await proxy[Symbol.asyncDispose]();
  });

  const makeTopic = async (): Promise<string> => {
    const name = `three.${randomUUID()}`;
    await log.createTopic({ name, partitions: 3 }, waiting);
    return name;
  };
  const leaderOf = async (topic: string): Promise<number> => (await kafka.partitions(topic))[0]?.leader ?? -1;
  const node = (id: number) => kafka.nodes.find((one) => one.id === id) ?? expect.unreachable();

  it('a leader moves to the broker that is asked for', async () => {
    const topic = await makeTopic();
    for (const id of [1, 2, 3, 1]) {
      await kafka.moveLeader({ topic, partition: 0 }, id);
      expect(await leaderOf(topic)).toBe(id);
    }
  });

  it.each(['kill', 'freeze'] as const)('a leader that does not live loses what it leads: %s', async (how) => {
    const topic = await makeTopic();
    await kafka.moveLeader({ topic, partition: 0 }, 2);
    await (how === 'kill' ? node(2).kill() : node(2).freeze());
    await eventually(async () => expect(await leaderOf(topic)).not.toBe(2));
    await (how === 'kill' ? node(2).start() : node(2).thaw());
    await kafka.inSync(topic);
  });

  it('a way that is closed is one to that broker alone, and brokers still find each other', async () => {
    const topic = await makeTopic();
    await kafka.moveLeader({ topic, partition: 0 }, 3);
    await node(3).way?.close();
    await expect(fetch(`http://127.0.0.1:${node(3).way?.port}`)).rejects.toThrow('fetch failed');
    const [state] = await kafka.partitions(topic);
    expect([state?.leader, state?.inSync.length]).toEqual([3, 3]);
    await node(3).way?.heal();
    await log.append(
      { topic, partition: 0 },
      [{ value: Buffer.from('a'), headers: [], timestamp: Date.now() }],
      waiting,
    );
  });
});
