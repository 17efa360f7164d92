import { test } from 'vitest';
import { DeliveryWorld, never } from '../support/faults/delivery-world.ts';
import { addWorldSource } from '../support/faults/world-source.ts';
import { entryOf } from '../../src/core/progress/sink-progress.ts';

const importInterval = 'storage.level.target.import.trigger.interval';
const uploadInterval = 'storage.level.staging.upload.trigger.interval';

test('D2, D5, D7: a sink that is made while the roles of a process begin is served, and by settings that change later', async () => {
  await using world = await DeliveryWorld.open();
  await addWorldSource(world, { settings: { [uploadInterval]: '30m', [importInterval]: '24h' } });
  const member = world.member('main');
  // What each role does first, before it joins its group.
  const when = ([query]: readonly unknown[]): boolean =>
    (query as { readonly collection: string }).collection === 'sink-status';
  member.faults.add({ port: 'catalog', method: 'list', kind: 'held', times: 3, when });
  await member.start();
  await world.until(() => member.faults.isSpent, 0);
  const sink = await world.addSink();
  await world.until(() => member.configuration.progressOf(sink.incarnation) !== undefined, 0);
  await member.faults.deliver();
  await world.produce(3);
  const mapped = async (): Promise<number> => (await world.ports.sinkLog.ranges(sink.topic, never))[0]?.durableEnd ?? 0;
  await world.until(async () => (await mapped()) === 3, 2);
  await world.pass(5000);
  // From here on no time goes by but what is said: what is late by the shorter interval goes on at once.
  await addWorldSource(world, { settings: { [uploadInterval]: '1s', [importInterval]: '24h' } });
  await world.until(async () => entryOf(await world.progress(sink), 0).source === 2, 0);
  await world.pass(32_000);
  await addWorldSource(world, { settings: { [uploadInterval]: '1s', [importInterval]: '30s' } });
  await world.until(async () => (await world.rows(sink)).length === 3, 0);
});
