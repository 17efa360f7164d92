import { expect, it } from 'vitest';
import { DeliveryWorld } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';

const hour = 3_600_000;

it('D2, D3, D5: a clock that jumps an hour forward and back loses, doubles and delays nothing', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const member = world.member('main', { roles: ['map', 'stage', 'import', 'collect'] });
  await member.start();
  for (const jump of [hour, -hour, -hour, hour]) {
    await world.produce(10, { brokenEvery: 4 });
    await world.pass(700);
    world.clock.jump(jump);
    await world.produce(10);
    const before = world.clock.monotonic();
    await world.delivered(sink);
    await world.pass(Math.max(0, 90_000 - (world.clock.monotonic() - before)), 1000);
    expect((await world.progress(sink)).floor).toBeGreaterThan(0);
  }
  await expectDelivered(world, sink);
  expect(member.told).toMatchObject({ failures: [], alarms: [], holes: 0 });
  world.clock.jump(2 * hour);
  await world.until(async () => (await world.objects()).length === 0, 1000);
});

it('D3: clean-up by a process whose clock is an hour ahead takes nothing that is being sealed', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const member = world.member('main');
  member.faults.add({
    port: 'catalog',
    method: 'compareAndSet',
    kind: 'held',
    when: ([write]) => (write as { value: { staged?: readonly unknown[] } }).value.staged?.length === 1,
  });
  await member.start();
  await world.produce(20);
  await world.until(() => member.faults.isSpent);
  world.clock.jump(hour);
  const collector = world.member('ahead', { roles: ['collect'] });
  await collector.start();
  await world.until(async () => (await world.progress(sink)).floor > 0);
  await world.until(async () => (await world.objects()).length === 0);
  world.clock.jump(-hour);
  await member.faults.deliver();
  await world.delivered(sink);
  await expectDelivered(world, sink);
});
