import { expect, it } from 'vitest';
import { DeliveryWorld } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import type { PortName } from '../support/faults/faults.ts';

const ports: readonly PortName[] = ['catalog', 'objects', 'tables', 'sinkLog', 'sourceLog'];

it.each(ports)(
  'D2, D3, D6: %s is away for ten minutes: it heals without a restart, and nothing is lost',
  async (port) => {
    await using world = await DeliveryWorld.open();
    const sinks = [await world.addSink('orders'), await world.addSink('refunds')];
    const member = world.member('main');
    await member.start();
    await world.produce(20);
    await world.delivered(...sinks);
    await world.produce(10);
    await world.pass(400);
    member.faults.away(port);
    for (let round = 0; round < 4; round += 1) {
      await world.produce(10, { brokenEvery: 4 });
      await world.pass(150_000, 2000);
    }
    member.faults.back(port);
    await world.delivered(...sinks);
    for (const sink of sinks) await expectDelivered(world, sink);
    expect(member.told).toMatchObject({ holes: 0, torn: [] });
  },
);

it('D2: while the catalog is away map goes on with what it knows, so that all is staged soon after', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const member = world.member('main', { roles: ['map'] });
  await member.start();
  await world.produce(5);
  await world.until(async () => (await endOf(world, sink.topic)) === 5);
  member.faults.away('catalog');
  await world.pass(60_000, 1000);
  await world.produce(100);
  await world.until(async () => (await endOf(world, sink.topic)) === 105);
  expect(member.told.alarms).toEqual([]);
});

async function endOf(world: DeliveryWorld, topic: string): Promise<number> {
  const [range] = await world.ports.sinkLog.ranges(topic, { signal: new AbortController().signal });
  return range?.durableEnd ?? 0;
}
