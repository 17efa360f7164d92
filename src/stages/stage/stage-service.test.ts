import { expect, it } from 'vitest';
import { DeliveryWorld, never, type WorldSink } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { entryOf } from '../../core/progress/sink-progress.ts';

it('D2: of a sink topic only what is sealed is trimmed, though its reader is further on', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  await addWorldSource(world, { settings: { 'storage.level.staging.upload.trigger.count': 5 } });
  const member = world.member('main', { roles: ['map', 'stage'] });
  await member.start();
  const sealed = async (): Promise<number> => entryOf(await world.progress(sink), 0).sink;
  const range = async () => (await world.ports.sinkLog.ranges(sink.topic, never))[0];
  const first = async (): Promise<number> => (await range())?.first ?? 0;
  // With one slice sealed two may be behind.
  await world.produce(5);
  await world.until(async () => (await first()) === 5);
  let uploads = 0;
  member.faults.add({ port: 'objects', method: 'put', kind: 'held', when: () => (uploads += 1) === 2 });
  await using _ = { [Symbol.asyncDispose]: () => member.faults.deliver() };
  // An append each, because the log gives back whole appends.
  for (const end of [10, 15, 18]) {
    await world.produce(end === 18 ? 3 : 5);
    await world.until(async () => (await range())?.durableEnd === end);
  }
  await world.until(async () => (await sealed()) === 10 && (await first()) >= 10);
  await world.pass(5000);
  expect(await first()).toBe(10);
  await member.faults.deliver();
  await world.until(async () => (await sealed()) === 18 && (await first()) === 18, 1000);
  expect(member.told).toMatchObject({ torn: [], holes: 0, alarms: [], failures: [] });
});

it('D2, D5: a partition that goes and comes back while its upload is still under way has a reader as soon as that has ended', async () => {
  await using world = await DeliveryWorld.open();
  await addWorldSource(world, { settings: { 'storage.level.staging.upload.trigger.interval': '1s' } });
  const sinks: WorldSink[] = [];
  for (let number = 0; number < 6; number += 1) sinks.push(await world.addSink(`sink-${number}`));
  await world.member('mapper', { roles: ['map'] }).start();
  const [stays, guest] = [world.member('stays', { roles: ['stage'] }), world.member('guest', { roles: ['stage'] })];
  stays.faults.add({ port: 'objects', method: 'put', kind: 'held', times: sinks.length });
  await using _ = { [Symbol.asyncDispose]: () => stays.faults.deliver() };
  await stays.start();
  await world.produce(3);
  await world.until(() => stays.faults.isSpent, 10);
  const staged = async (): Promise<number> => {
    let taken = 0;
    for (const sink of sinks) taken += entryOf(await world.progress(sink), 0).source + 1;
    return taken;
  };
  await guest.start();
  // The guest has its share, of which it stages the same.
  await world.until(async () => (await staged()) > 0, 10);
  await guest[Symbol.asyncDispose]();
  await world.pass(1000, 20);
  await stays.faults.deliver();
  await world.produce(3);
  const began = world.clock.monotonic();
  await world.until(async () => {
    if (world.clock.monotonic() - began > 20_000) throw new Error('a partition has no reader');
    return (await staged()) === 6 * sinks.length;
  }, 10);
});
