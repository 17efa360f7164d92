import { expect, it } from 'vitest';
import { limits } from '../../src/core/limits.ts';
import { objectName } from '../../src/core/object-name.ts';
import type { StagedSlice } from '../../src/core/progress/sink-progress.ts';
import { DeliveryWorld, never, type WorldSink } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';

/** Stages the first `count` events of the source, one slice each, as stage would have done. */
async function stageEach(world: DeliveryWorld, sink: WorldSink, count: number): Promise<void> {
  const { incarnation } = sink;
  const at = world.clock.now();
  const slices = await Promise.all(
    Array.from({ length: count }, async (_, offset): Promise<StagedSlice> => {
      const name = objectName({ incarnation, partition: 0, stamp: at, unique: String(offset), part: 'rows' });
      const bytes = Buffer.from(`"0/${offset}"\n`);
      const rowsObject = await world.ports.objects.put(name, { kind: 'bytes', bytes }, never);
      const covers = { partition: 0, mappingVersion: 1, from: offset - 1, to: offset, rows: 1, dead: 0 };
      return { ...covers, id: String(offset), rowsObject, firstArrival: at, lastArrival: at, stagedAt: at };
    }),
  );
  await world.change(sink, (progress) => {
    const [entry, totals] = [progress.entries[0], progress.totals[0]];
    if (entry === undefined || totals !== undefined) throw new Error('the sink has begun already');
    const passed = { passed: count, rows: 0, dead: 0, filtered: 0, holes: 0, none: 0, givenUp: 0 };
    const entries = { 0: { ...entry, source: count - 1 } };
    return { ...progress, entries, totals: { 0: passed }, staged: slices };
  });
}

it('D8: past the bound of staged slices staging waits and says so, and goes on when some are imported', async () => {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  await world.produce(limits.stagedSlices);
  await stageEach(world, sink, limits.stagedSlices);
  const staging = world.member('staging', { roles: ['map', 'stage'] });
  await staging.start();
  await world.produce(20, { brokenEvery: 7 });
  await world.until(async () => (await world.statuses()).includes('stage: stage.full'), 1000);
  await world.pass(120_000, 2000);
  expect((await world.progress(sink)).staged).toHaveLength(limits.stagedSlices);
  const importing = world.member('importing', { roles: ['import'] });
  await importing.start();
  await world.delivered(sink);
  await expectDelivered(world, sink);
});
