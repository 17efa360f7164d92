import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { batchKey } from '../../src/adapters/lmdb/log/keys.ts';
import { LogStore } from '../../src/adapters/lmdb/log/store.ts';
import { never, source, type DeliveryWorld, type WorldSink } from '../support/faults/delivery-world.ts';
import { deleteSink } from '../support/faults/delete-sink.ts';
import { eachWithWorld } from '../support/faults/each-with-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import type { Member } from '../support/faults/member.ts';
import { identified } from '../support/identified.ts';

let world: DeliveryWorld;
let sink: WorldSink;

eachWithWorld((given) => {
  ({ world, sink } = given);
});

/** Takes the batch that begins at the offset out of the file of a log, as a damaged page or a bug would. */
async function removeBatch(base: number, log: 'source-log' | 'sink-log' = 'source-log'): Promise<void> {
  const store = new LogStore(join(world.folder, log));
  const key = batchKey({ number: 1, partition: 0 }, base);
  expect(store.get(key)).toBeDefined();
  await store.write(() => store.remove(key));
  await store.close();
}

const places = (from: number, to: number): readonly string[] =>
  Array.from({ length: to - from }, (_, index) => `0/${from + index}`);

describe('D4: offsets that are missing inside the embedded log are damage', () => {
  it('D2, D4: a batch that is missing between two others is holes with an alarm, and the rest is delivered', async () => {
    for (let batch = 0; batch < 4; batch += 1) await world.produce(10);
    await removeBatch(20);
    const member = world.member('main');
    await member.start();
    await world.delivered(sink);
    await expectDelivered(world, sink, { holes: places(20, 30) });
    expect(member.told.holes).toBe(10);
  });

  it('D2, D4: a batch that is missing at the end is holes at once, and what comes after it is delivered', async () => {
    await world.produce(10);
    await world.produce(10);
    await removeBatch(10);
    const member = world.member('main');
    await member.start();
    await world.delivered(sink);
    expect(member.told.holes).toBe(10);
    await world.produce(5);
    await world.delivered(sink);
    await expectDelivered(world, sink, { holes: places(10, 20) });
  });

  it('D2, D4: a batch that is missing at the beginning is holes, too', async () => {
    await world.produce(10);
    await world.produce(10);
    await removeBatch(0);
    const member = world.member('main');
    await member.start();
    await world.delivered(sink);
    await expectDelivered(world, sink, { holes: places(0, 10) });
    expect(member.told.holes).toBe(10);
  });
});

describe('D2: a sink topic that lost outcomes in its middle', () => {
  /** Four batches of ten events in both logs; the mapper lives. */
  async function mapFour(): Promise<Member> {
    const mapping = world.member('map', { roles: ['map'] });
    await mapping.start();
    for (let batch = 1; batch <= 4; batch += 1) {
      await world.produce(10, { brokenEvery: 4 });
      const count = batch * 10;
      await world.until(async () => (await world.ports.sinkLog.ranges(sink.topic, never))[0]?.durableEnd === count);
    }
    return mapping;
  }

  it.each([
    ['behind the first', 10],
    ['before the last', 20],
  ])('D2, D3: a batch that is missing %s is mapped again from the source', async (_, base) => {
    await world.drain(await mapFour());
    await removeBatch(base, 'sink-log');
    const member = world.member('main');
    await member.start();
    await world.delivered(sink);
    await world.produce(10);
    await world.delivered(sink);
    await expectDelivered(world, sink);
    expect(member.told.torn.length).toBeGreaterThan(0);
    expect(member.told.holes).toBe(0);
  });

  it('D2, D3: a batch that is missing at the end is mapped again at once', async () => {
    await mapFour();
    await removeBatch(30, 'sink-log');
    const rest = world.member('rest', { roles: ['stage', 'import'] });
    await rest.start();
    await world.delivered(sink);
    await expectDelivered(world, sink);
    expect(rest.told.holes).toBe(0);
  });

  it('D2, D4: what the source has lost, too, is holes with an alarm, and the rest is delivered', async () => {
    await world.drain(await mapFour());
    await removeBatch(10, 'sink-log');
    await world.ports.sourceLog.trim(
      await identified(world.ports.sourceLog, { topic: source, partition: 0 }),
      30,
      never,
    );
    const member = world.member('main');
    await member.start();
    await world.delivered(sink);
    await world.produce(10);
    await world.delivered(sink);
    await expectDelivered(world, sink, { holes: places(10, 20) });
    expect(member.told.holes).toBe(10);
  });

  it('D2, D4: when its source topic is lost and it is deleted, what is missing are holes, and the rest is delivered', async () => {
    await world.drain(await mapFour());
    await removeBatch(20, 'sink-log');
    await world.ports.sourceLog.deleteTopic(source, never);
    await deleteSink(world, sink);
    const member = world.member('main');
    await member.start();
    await world.until(async () => (await world.progress(sink)).totals[0]?.rows === 24, 1000);
    expect((await world.progress(sink)).totals[0]).toMatchObject({ passed: 40, rows: 24, dead: 6, holes: 10 });
    expect(member.told.holes).toBe(10);
  });
});
