import { afterEach, expect, it, vi } from 'vitest';
import { DeliveryWorld, type WorldSink } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { SinkImporter } from './sink-importer.ts';

afterEach(() => vi.restoreAllMocks());

const importInterval = 'storage.level.target.import.trigger.interval';
const importCount = 'storage.level.target.import.trigger.count';
const uploadInterval = 'storage.level.staging.upload.trigger.interval';

async function rowsOf(world: DeliveryWorld, ...sinks: readonly WorldSink[]): Promise<number> {
  let rows = 0;
  for (const sink of sinks) rows += (await world.rows(sink)).length;
  return rows;
}

async function stagedOf(world: DeliveryWorld, sink: WorldSink): Promise<number> {
  return (await world.progress(sink)).staged.length;
}

/** Comes to that long before all sinks are looked at, whatever is known of them. */
async function soon(world: DeliveryWorld, check: () => Promise<boolean>): Promise<void> {
  const began = world.clock.monotonic();
  await world.until(async () => {
    if (world.clock.monotonic() - began > 20_000) throw new Error(`not soon: ${check.toString()}`);
    return check();
  }, 10);
}

it('D5: what is staged is imported when the interval is over, though nothing changes', async () => {
  await using world = await DeliveryWorld.open();
  await addWorldSource(world, { settings: { [uploadInterval]: '1s', [importInterval]: '30s' } });
  const sink = await world.addSink();
  await world.member('main').start();
  await world.produce(3);
  await soon(world, async () => (await stagedOf(world, sink)) === 1);
  await world.pass(29_000, 500);
  await soon(world, async () => (await rowsOf(world, sink)) === 3);
});

it('D5, D7: what is staged while an import runs is imported after it, and no second import of the sink begins beside it', async () => {
  await using world = await DeliveryWorld.open();
  await addWorldSource(world, { settings: { [uploadInterval]: '1s', [importCount]: 3, [importInterval]: '24h' } });
  const sink = await world.addSink();
  const member = world.member('main');
  member.faults.add({ port: 'tables', method: 'import', kind: 'held' });
  const works = vi.spyOn(SinkImporter.prototype, 'work');
  await member.start();
  await world.produce(3);
  await soon(world, async () => member.faults.isSpent);
  await world.produce(3);
  await soon(world, async () => (await stagedOf(world, sink)) === 1);
  await world.pass(500, 50);
  expect(works).toHaveBeenCalledTimes(1);
  await member.faults.deliver();
  await soon(world, async () => (await rowsOf(world, sink)) === 6);
});

it('D2, D5: what one process could not import another one imports as soon as it has its share', async () => {
  await using world = await DeliveryWorld.open();
  await addWorldSource(world, { settings: { [uploadInterval]: '1s', [importCount]: 3, [importInterval]: '24h' } });
  const sinks: WorldSink[] = [];
  for (let number = 0; number < 6; number += 1) sinks.push(await world.addSink(`sink-${number}`));
  await world.member('others', { roles: ['map', 'stage'] }).start();
  const [ill, well] = [world.member('ill', { roles: ['import'] }), world.member('well', { roles: ['import'] })];
  ill.faults.away('tables');
  await ill.start();
  await world.pass(2000, 100);
  await well.start();
  await world.pass(2000, 100);
  await world.produce(3);
  await world.pass(5000, 50);
  const before = await rowsOf(world, ...sinks);
  await ill[Symbol.asyncDispose]();
  await soon(world, async () => (await rowsOf(world, ...sinks)) === 18);
  expect([before > 0, before < 18]).toEqual([true, true]);
});
