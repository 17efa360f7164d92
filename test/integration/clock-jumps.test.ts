import { expect, it } from 'vitest';
import { DeliveryWorld } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';

const day = 24 * 3_600_000;

it('D2, D3, D5: a clock that jumps a day forward and back loses, doubles and delays nothing', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const member = world.member('main', { roles: ['map', 'stage', 'import', 'collect'] });
  await member.start();
  for (const jump of [day, day, -3 * day, day]) {
    await world.produce(10, { brokenEvery: 4 });
    await world.pass(700);
    world.clock.jump(jump);
    await world.produce(10);
    const before = world.clock.monotonic();
    await world.delivered(sink);
    await world.pass(Math.max(0, 90_000 - (world.clock.monotonic() - before)), 1000);
  }
  expect((await world.progress(sink)).floor, 'the clean-up of a clock two days ahead').toBeGreaterThan(
    world.clock.now(),
  );
  await expectDelivered(world, sink);
  expect(member.told).toMatchObject({ failures: [], alarms: [], holes: 0 });
  world.clock.jump(3 * day);
  await world.until(async () => (await world.objects()).length === 0, 1000);
});

it('D3: clean-up by a process whose clock is a day ahead takes nothing that is being sealed', async () => {
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
  world.clock.jump(day);
  const collector = world.member('ahead', { roles: ['collect'] });
  await collector.start();
  await world.until(async () => (await world.progress(sink)).floor > 0);
  await world.until(async () => (await world.objects()).length === 0);
  world.clock.jump(-day);
  await member.faults.deliver();
  await world.delivered(sink);
  await expectDelivered(world, sink);
});
