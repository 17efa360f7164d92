import { readdir, rm, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openHastyLog } from '../support/on-kafka.ts';
import { startKafka, whereIsKafka, type StartedKafka } from '../support/kafka.ts';
import { DeliveryWorld, never, source, type WorldSink } from '../support/faults/delivery-world.ts';
import { deleteSink } from '../support/faults/delete-sink.ts';
import type { Member } from '../support/faults/member.ts';

const canRun = (await whereIsKafka()).kind === 'started';

describe.skipIf(!canRun)('a source on Kafka that loses its end in a power cut', () => {
  let kafka: StartedKafka;
  let world: DeliveryWorld;
  let sink: WorldSink;
  /** The process that has delivered what is lost. */
  let before: Member;
  /** Bytes of the source before what it is going to lose. */
  let kept: number;

  beforeAll(async () => {
    kafka = await startKafka();
  });
  afterAll(() => kafka[Symbol.asyncDispose]());

  beforeEach(async () => {
    world = await DeliveryWorld.open({ openLog: () => openHastyLog(kafka.brokers) });
    sink = await world.addSink();
    before = await started();
    await world.produce(10);
    await world.delivered(sink);
    kept = (await stat(segment())).size;
    await world.produce(30);
    await world.delivered(sink);
  });
  afterEach(async () => {
    for (const topic of [source, sink.topic]) await world.ports.sourceLog.deleteTopic(topic, never);
    await world[Symbol.asyncDispose]();
  });

  const started = async () => {
    const member = world.member('main');
    await member.start();
    return member;
  };
  const folder = (): string => join(kafka.dataFolder, `${source}-0`);
  const segment = (): string => join(folder(), '00000000000000000000.log');

  /** Brings the broker back without the last 30 events. */
  async function losesItsEnd(): Promise<void> {
    await kafka.kill();
    await truncate(segment(), kept);
    for (const name of await readdir(folder())) if (name.endsWith('index')) await rm(join(folder(), name));
    await kafka.start();
    const [range] = await world.ports.sourceLog.ranges(source, never);
    expect(range).toMatchObject({ first: 0, durableEnd: 10 });
  }

  const isCut = async (): Promise<boolean> => (await world.statuses()).includes('map: progress.logCut');

  /** Time goes on, and Kafka has some. */
  async function passSeconds(count: number): Promise<void> {
    for (let second = 0; second < count; second += 1) {
      await world.pass(60_000, 2000);
      await sleep(1000);
    }
  }

  it('D2, D3: stops the sinks that have taken some of it, for good, however far it has grown since', async () => {
    await losesItsEnd();
    await world.until(isCut, 500);
    await world.produce(35);
    await passSeconds(5);
    expect(await isCut()).toBe(true);
    expect(await world.rows(sink)).toHaveLength(40);
  });

  it('D2, D3: stops them though it has grown past all that they know before anybody looks, and gives up no more than that', async () => {
    await world.drain(before);
    await losesItsEnd();
    await world.produce(35);
    const member = await started();
    await world.until(isCut, 500);
    const other = await world.addSink('again', { starts: 10 });
    await world.until(async () => (await world.rows(other)).length === 35, 1000);
    await deleteSink(world, sink);
    await world.until(() => member.told.purged === 1, 1000);
    expect(await world.rows(sink)).toHaveLength(40);
    expect(await world.statuses()).toEqual([]);
  });
});
