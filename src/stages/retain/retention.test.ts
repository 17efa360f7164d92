import { expect, it } from 'vitest';
import { DeliveryWorld, never, source } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { Configuration } from '../replica/configuration.ts';
import { Retention } from './retention.ts';

const day = 24 * 3_600_000;

it('D4: counts each record that a sink needed and that went of old age once, however often it looks', async () => {
  await using world = await DeliveryWorld.open();
  await world.addSink();
  await addWorldSource(world, { settings: { 'log.retention.maxAge': '192h' } });
  const configuration = new Configuration({
    catalog: world.ports.catalog,
    onInvalid: (_, error) => expect.fail(String(error)),
  });
  await configuration.load(never);
  let removed = 0;
  const observer = {
    neededRecordsRemoved: (_: unknown, count: number) => void (removed += count),
    retentionFailed: (_: unknown, error: Error) => expect.fail(error.message),
  };
  const retention = new Retention({ ...world.ports, configuration, clock: world.clock, observer });
  for (let round = 0; round < 4; round += 1) {
    await world.produce(10);
    world.clock.advance(5 * day);
    await retention.round(never);
    await retention.round(never);
  }
  const [range] = await world.ports.sourceLog.ranges(source, never);
  expect(range?.first).toBe(30);
  expect(removed).toBe(30);
});

it('D3: a source whose log was set back takes no events, whose offsets its sinks would take for repeats', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  await addWorldSource(world);
  await world.produce(10);
  await world.copy('source-log');
  const member = world.member('main');
  await member.start();
  await world.produce(10);
  await world.delivered(sink);
  await world.restore('source-log');
  const configuration = new Configuration({ catalog: world.ports.catalog, onInvalid: () => undefined });
  await configuration.load(never);
  const observer = { neededRecordsRemoved: () => undefined, retentionFailed: () => undefined };
  const retention = new Retention({ ...world.ports, configuration, clock: world.clock, observer });
  let changes = 0;
  retention.listen(() => void (changes += 1));
  await retention.round(never);
  expect(retention.hindrance(source)).toBe('logBehind');
  // As long as the log that was lost: it stands for that one, brought back.
  await world.produce(10);
  await retention.round(never);
  expect(retention.hindrance(source)).toBeUndefined();
  expect(changes).toBe(2);
});
