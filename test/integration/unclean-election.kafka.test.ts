import { Kafka, logLevel } from 'kafkajs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DeliveryWorld, source } from '../support/faults/delivery-world.ts';
import { startKafkaBrokers, type KafkaBroker, type KafkaBrokers } from '../support/kafka-brokers.ts';
import { whereIsKafka } from '../support/kafka.ts';
import { openHastyLog } from '../support/on-kafka.ts';

const canRun = (await whereIsKafka()).kind === 'started';

describe.skipIf(!canRun)('a source on three brokers whose next leader was not in sync', () => {
  let kafka: KafkaBrokers;
  let world: DeliveryWorld;

  beforeAll(async () => {
    kafka = await startKafkaBrokers();
    await createSource();
    world = await DeliveryWorld.open({ openLog: () => openHastyLog(kafka.brokers) });
  }, 900_000);
  afterAll(async () => {
    await world[Symbol.asyncDispose]();
    await kafka[Symbol.asyncDispose]();
  });

  /** On the first two brokers, the first of which may go on alone; the topics of sinks are on all three. */
  async function createSource(): Promise<void> {
    const admin = new Kafka({ brokers: kafka.brokers.split(','), logLevel: logLevel.NOTHING }).admin();
    await admin.connect();
    const configEntries = [
      { name: 'unclean.leader.election.enable', value: 'true' },
      { name: 'min.insync.replicas', value: '1' },
    ];
    const replicaAssignment = [{ partition: 0, replicas: [1, 2] }];
    await admin.createTopics({ topics: [{ topic: source, replicaAssignment, configEntries }] });
    await admin.disconnect();
  }

  const node = (id: number): KafkaBroker => {
    const found = kafka.nodes.find((one) => one.id === id);
    if (found === undefined) throw new Error(`there is no broker ${id}`);
    return found;
  };
  const isCut = async (): Promise<boolean> => (await world.statuses()).includes('map: progress.logCut');

  it('D2, D3: stops the sink that has taken what is lost, however far the source grows, also when the old leader is back', async () => {
    const sink = await world.addSink();
    await kafka.inSync(sink.topic);
    const member = world.member('main');
    await member.start();
    await world.produce(10);
    await world.delivered(sink);
    await node(2).kill();
    await world.produce(30);
    await world.delivered(sink);
    await node(1).kill();
    await node(2).start();
    await world.until(async () => (await kafka.partitions(source))[0]?.leader === 2);
    await world.produce(35);
    await world.until(isCut, 500);
    const [range] = await world.ports.sourceLog.ranges(source, { signal: AbortSignal.timeout(60_000) });
    expect(range, 'the 30 events are lost').toMatchObject({ first: 0, durableEnd: 45 });
    await node(1).start();
    await kafka.inSync(source);
    await world.pass(300_000, 2000);
    expect(await isCut()).toBe(true);
    expect(await world.rows(sink)).toHaveLength(40);
    expect(member.told.holes).toBe(0);
  });
});
