import { beforeEach, expect, it } from 'vitest';
import { progressId } from '../../src/documents/document-id.ts';
import { conserveAll } from '../../src/core/accounts/conservation.ts';
import type { SinkProgress } from '../../src/core/progress/sink-progress.ts';
import { erase } from '../../src/core/progress/switch.ts';
import type { TableId } from '../../src/core/table-id.ts';
import { never, type DeliveryWorld, type WorldSink } from '../support/faults/delivery-world.ts';
import { eachWithWorld } from '../support/faults/each-with-world.ts';
import type { Member } from '../support/faults/member.ts';

let world: DeliveryWorld;
let sink: WorldSink;
let member: Member;

eachWithWorld((given) => {
  ({ world, sink } = given);
});

beforeEach(async () => {
  member = world.member('main', { roles: ['map', 'stage', 'import', 'collect'] });
});

/** As a deletion of the source with its tables does. */
async function eraseSink(dropped: readonly TableId[] = [sink.tableId]): Promise<void> {
  const ends = await world.ends();
  await world.change(sink, (progress) => erase(progress, ends, dropped));
  for (const tableId of dropped) await world.ports.tables.dropTable(tableId, never);
}

/** Erases; answers the document as it stands when all is decided, just before it goes. */
async function lastProgress(): Promise<SinkProgress> {
  const before = member.faults.struck;
  member.faults.add({ port: 'catalog', method: 'remove', kind: 'held', when: ([of]) => of === 'progress' });
  await eraseSink();
  await world.until(() => member.faults.struck > before, 1000);
  const progress = await world.progress(sink);
  await member.faults.deliver();
  await world.until(() => member.told.purged === 1);
  return progress;
}

async function leftovers(): Promise<readonly string[]> {
  const { catalog, sinkLog, tables } = world.ports;
  const found: string[] = [];
  for (const collection of ['progress', 'mapping', 'sink-status', 'import-history'] as const)
    if ((await catalog.count(collection, progressId(sink.incarnation), never)) > 0) found.push(collection);
  if ((await sinkLog.describeTopic(sink.topic, never)) !== undefined) found.push('topic');
  if ((await tables.readLedger(sink.incarnation, never)) !== undefined) found.push('ledger');
  return found;
}

it('D4: what was accepted for a table that is dropped is counted as given up, and leaves nothing', async () => {
  await member.start();
  await world.produce(20);
  await world.until(async () => (await world.progress(sink)).staged.length > 0);
  await world.produce(10);
  const progress = await lastProgress();
  const [counts] = conserveAll(progress, (await world.ends()).durable);
  expect(counts).toMatchObject({ accepted: 30, givenUp: 30, rows: 0, staged: 0, inFlight: 0, difference: 0 });
  expect(await leftovers()).toEqual([]);
  await world.until(async () => (await world.objects()).length === 0, 5000);
  expect(await world.ports.tables.describeTable(sink.tableId, never)).toBeUndefined();
});

it('a table that has the name of a dropped one by now gets no row of it', async () => {
  await world.produce(20);
  await eraseSink();
  await world.ports.tables.createTable(sink.tableId, ['at'], never);
  await member.start();
  await world.until(() => member.told.purged === 1);
  expect([await world.rows(sink), await leftovers()]).toEqual([[], []]);
});

it('D3: an import that has looked at its table does not begin when that is dropped meanwhile, whatever has its name by then', async () => {
  await member.start();
  member.faults.add({ port: 'tables', method: 'columnsOf', kind: 'held' });
  await world.produce(20);
  await world.until(() => member.faults.isSpent);
  const columns = (await world.ports.tables.columnsOf(sink.tableId, never)) ?? [];
  await eraseSink();
  await world.ports.tables.createTable(sink.tableId, columns, never);
  await member.faults.deliver();
  await world.until(() => member.told.purged === 1);
  expect([await world.rows(sink), await leftovers()]).toEqual([[], []]);
});

it('D2: what was accepted for a table that stays is delivered, at once', async () => {
  await member.start();
  await world.produce(20, { brokenEvery: 5 });
  const before = world.clock.monotonic();
  await eraseSink([]);
  await world.until(() => member.told.purged === 1, 10);
  expect(world.clock.monotonic() - before).toBeLessThan(30_000);
  expect([(await world.rows(sink)).length, (await world.deadLetters(sink)).length]).toEqual([16, 4]);
  expect([member.told.givenUp, await leftovers()]).toEqual([0, []]);
});

it('what was parked, because the table was gone already, does not wait for seven days', async () => {
  await member.start();
  await world.produce(20);
  await world.ports.tables.dropTable(sink.tableId, never);
  await world.until(async () => (await world.progress(sink)).parked.length > 0);
  const progress = await lastProgress();
  expect(progress.totals['0']).toMatchObject({ rows: 0, givenUp: 20 });
  expect(await leftovers()).toEqual([]);
});

it.each(['lostRequest', 'lostAnswer'] as const)(
  'D3: an import that runs while its table is dropped counts its rows once, be it after a %s',
  async (kind) => {
    await member.start();
    member.faults.add({ port: 'tables', method: 'import', kind });
    await world.produce(20);
    const decided = kind === 'lostAnswer' ? 1 : 0;
    await world.until(async () => {
      const row = await world.ports.tables.readLedger(sink.incarnation, never);
      const { importing } = await world.progress(sink);
      return member.faults.isSpent && importing !== undefined && row?.number === decided;
    });
    const { rows = 0, givenUp = 0 } = (await lastProgress()).totals['0'] ?? {};
    expect([rows, givenUp]).toEqual(kind === 'lostRequest' ? [0, 20] : [20, 0]);
    expect(await leftovers()).toEqual([]);
  },
);
