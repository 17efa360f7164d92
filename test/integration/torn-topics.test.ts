import { beforeEach, describe, expect, it } from 'vitest';
import { never, source, type DeliveryWorld, type WorldSink } from '../support/faults/delivery-world.ts';
import { eachWithWorld } from '../support/faults/each-with-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import type { Member } from '../support/faults/member.ts';
import { identified } from '../support/identified.ts';
import type { IdentifiedPartition } from '../../src/ports/event-log.ts';

let world: DeliveryWorld;
let sink: WorldSink;
let inSource: IdentifiedPartition;
let inSink: IdentifiedPartition;

eachWithWorld((given) => {
  ({ world, sink } = given);
});

beforeEach(async () => {
  inSource = await identified(world.ports.sourceLog, { topic: source, partition: 0 });
  inSink = await identified(world.ports.sinkLog, { topic: sink.topic, partition: 0 });
});

const places = (count: number): readonly string[] => Array.from({ length: count }, (_, offset) => `0/${offset}`);

/** A member that only maps has mapped these batches, of ten events each. */
async function mapOnly(...batches: readonly { readonly brokenEvery?: number }[]): Promise<Member> {
  const mapping = world.member('map', { roles: ['map'] });
  await mapping.start();
  for (const [index, options] of batches.entries()) {
    await world.produce(10, options);
    const count = 10 * (index + 1);
    await world.until(async () => (await world.ports.sinkLog.ranges(sink.topic, never))[0]?.durableEnd === count);
  }
  return mapping;
}

describe('D2: what retention took from the source before it was mapped', () => {
  it('D2, D4: is counted as holes, with an alarm, and the rest is delivered', async () => {
    await world.produce(10);
    await world.produce(10);
    await world.ports.sourceLog.trim(inSource, 10, never);
    const member = world.member('main');
    await member.start();
    await world.delivered(sink);
    await expectDelivered(world, sink, { holes: places(10) });
    expect(member.told.holes).toBe(10);
  });

  it('D2, D4: is counted at once when nothing is left, without waiting for an event', async () => {
    await world.produce(10);
    await world.ports.sourceLog.trim(inSource, 10, never);
    const member = world.member('main');
    await member.start();
    await world.delivered(sink);
    await expectDelivered(world, sink, { holes: places(10) });
  });

  it('D2, D4: is counted when it happens to a mapper that lags', async () => {
    const member = world.member('main');
    await member.start();
    await world.produce(10);
    await world.delivered(sink);
    member.faults.away('sinkLog');
    await world.produce(10);
    await world.pass(5000);
    await world.ports.sourceLog.trim(inSource, 20, never);
    await world.produce(10);
    await world.pass(5000);
    member.faults.back('sinkLog');
    await world.delivered(sink);
    const holes = places(20).slice(10);
    const { all } = world.produced();
    const rows = await world.rows(sink);
    expect(rows).toEqual(all.filter((at) => !holes.includes(at) || rows.includes(at)).toSorted());
    await expectDelivered(world, sink, { holes: holes.filter((at) => !rows.includes(at)) });
  });
});

describe('D2: a sink topic that lost its head before it was staged', () => {
  it('D2, D3: is mapped again from the source, by the mapper that lives', async () => {
    await mapOnly({}, { brokenEvery: 3 });
    await world.ports.sinkLog.trim(inSink, 20, never);
    const rest = world.member('rest', { roles: ['stage', 'import'] });
    await rest.start();
    await world.until(() => rest.told.torn.length > 0);
    await world.delivered(sink);
    await world.produce(10);
    await world.delivered(sink);
    await expectDelivered(world, sink);
    expect(rest.told.torn.length).toBeGreaterThan(0);
    expect(rest.told.holes).toBe(0);
  });

  it('D2, D3: is mapped again when it lost all and no event comes', async () => {
    await mapOnly({});
    await world.ports.sinkLog.trim(inSink, 10, never);
    const rest = world.member('rest', { roles: ['stage', 'import'] });
    await rest.start();
    await world.delivered(sink);
    await expectDelivered(world, sink);
  });

  it('D2, D4: has holes only where the source lost the events, too', async () => {
    const mapping = await mapOnly({}, {});
    await world.drain(mapping);
    await world.ports.sinkLog.trim(inSink, 20, never);
    await world.ports.sourceLog.trim(inSource, 10, never);
    const member = world.member('main');
    await member.start();
    await world.produce(10);
    await world.delivered(sink);
    await expectDelivered(world, sink, { holes: places(10) });
    expect(member.told.holes).toBe(10);
  });

  it('D2, D3: is mapped again though outcomes were appended behind what it lost, without holes', async () => {
    await mapOnly({}, { brokenEvery: 3 });
    await world.ports.sinkLog.trim(inSink, 10, never);
    const rest = world.member('rest', { roles: ['stage', 'import'] });
    await rest.start();
    await world.delivered(sink);
    await expectDelivered(world, sink);
    expect(rest.told.torn.length).toBeGreaterThan(0);
    expect(rest.told.holes).toBe(0);
  });

  it('D2, D4: has holes only where both lost them: what stands behind them is taken', async () => {
    const mapping = await mapOnly({}, {}, {});
    await world.drain(mapping);
    await world.ports.sinkLog.trim(inSink, 10, never);
    await world.ports.sourceLog.trim(inSource, 20, never);
    const member = world.member('main');
    await member.start();
    await world.produce(10);
    await world.delivered(sink);
    await expectDelivered(world, sink, { holes: places(10) });
    expect(member.told.holes).toBe(10);
  });
});
