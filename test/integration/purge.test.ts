import { describe, expect, it } from 'vitest';
import { progressId } from '../../src/documents/document-id.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import { limits } from '../../src/core/limits.ts';
import { MillraceError } from '../../src/core/millrace-error.ts';
import { close, open } from '../../src/core/progress/switch.ts';
import type { ClaimedStore } from '../../src/ports/claimable.ts';
import { purgeRest } from '../../src/stages/import/purge.ts';
import { never, type DeliveryWorld, type WorldSink } from '../support/faults/delivery-world.ts';
import { deleteSink } from '../support/faults/delete-sink.ts';
import { eachWithWorld } from '../support/faults/each-with-world.ts';
import type { Fault, FaultKind } from '../support/faults/faults.ts';
import { addWorldSource } from '../support/faults/world-source.ts';
import { ownAllBut, ownEverything } from '../support/own-everything.ts';

let world: DeliveryWorld;
let sink: WorldSink;

eachWithWorld((given) => {
  ({ world, sink } = given);
});

/** Everything that names the incarnation. */
async function leftovers(): Promise<readonly string[]> {
  const { catalog, sinkLog, tables } = world.ports;
  const found: string[] = [];
  for (const collection of ['progress', 'mapping', 'sink-status', 'import-history'] as const) {
    const prefix = progressId(sink.incarnation);
    if ((await catalog.count(collection, prefix, never)) > 0) found.push(collection);
  }
  if ((await sinkLog.describeTopic(sink.topic, never)) !== undefined) found.push('topic');
  if ((await tables.readLedger(sink.incarnation, never)) !== undefined) found.push('ledger');
  return found;
}

const faults: readonly (readonly [string, Omit<Fault, 'kind'>])[] = [
  ['the document', { port: 'catalog', method: 'remove' }],
  ['the ledger row', { port: 'tables', method: 'deleteLedger' }],
  ['the mappings', { port: 'catalog', method: 'list' }],
  ['the topic', { port: 'sinkLog', method: 'deleteTopic' }],
];

describe('a deleted sink', () => {
  it.each(faults)('D2: delivers what it accepted and leaves nothing, though removing %s fails', async (_, call) => {
    const member = world.member('main');
    await member.start();
    await world.produce(20, { brokenEvery: 6 });
    await deleteSink(world, sink);
    await world.produce(5);
    member.faults.add({ ...call, kind: 'lostRequest' });
    member.faults.add({ ...call, kind: 'lostAnswer' });
    await world.until(() => member.told.purged === 1, 1000);
    await world.until(async () => (await leftovers()).length === 0);
    expect((await world.rows(sink)).length + (await world.deadLetters(sink)).length).toBe(20);
    expect(member.faults.isSpent).toBe(true);
  });

  it.each([
    ['tables', 'ledger'],
    ['sink-log', 'topic'],
  ] as const)(
    'D2: leaves what it has in the %s while that has the mark of another installation',
    async (store, part) => {
      const foreign = new Set<ClaimedStore>([store]);
      const member = world.member('main', { ownership: ownAllBut(foreign) });
      await member.start();
      await world.produce(20);
      await deleteSink(world, sink);
      await world.until(async () => (await world.statuses()).includes('import: installation.foreign'), 1000);
      await world.pass(60_000, 1000);
      expect(await leftovers()).toContain(part);
      expect(member.told.purged).toBe(0);
      foreign.clear();
      await world.until(() => member.told.purged === 1, 1000);
      await world.until(async () => (await leftovers()).length === 0);
      expect(await world.rows(sink)).toHaveLength(20);
    },
  );

  it('D2: leaves a topic that somebody else has made under its name', async () => {
    const { sinkLog, catalog } = world.ports;
    await deleteSink(world, sink);
    const { value: before } = (await catalog.get('progress', progressId(sink.incarnation), never)) ?? {};
    await sinkLog.deleteTopic(sink.topic, never);
    const { identity } = await sinkLog.createTopic({ name: sink.topic, partitions: 1 }, never);
    const options = { ...world.ports, ledger: world.ports.tables, ownership: ownEverything };
    await purgeRest(options, progressDocuments.parse(before), never);
    expect(await sinkLog.describeTopic(sink.topic, never)).toMatchObject({ identity });
  });

  it('keeps what it cannot import for want of a token for seven days, counts it as given up, and goes', async () => {
    const missing = new MillraceError('sink.tokenMissing', 'the token is gone');
    const rights = { check: () => Promise.reject(missing) };
    const first = world.member('first', { rights });
    await first.start();
    await world.produce(20);
    await deleteSink(world, sink);
    const failing = async () => (await world.progress(sink)).staged.some((slice) => slice.failing !== undefined);
    await world.until(async () => (await world.statuses()).includes('import: sink.tokenMissing'), 1000);
    await world.until(failing, 1000);
    // In steps so long that nobody tries in between: they prove nothing.
    await world.pass(8 * 24 * 3_600_000, 3_600_000);
    expect(first.told.givenUp).toBe(0);
    await world.drain(first);
    // As it would be had it tried all the time; the next one sees the last minute.
    const provenMs = limits.stagedAgeMs - 60_000;
    await world.change(sink, (progress) => ({
      ...progress,
      staged: progress.staged.map((slice) =>
        slice.failing ? { ...slice, failing: { ...slice.failing, provenMs } } : slice,
      ),
    }));
    const member = world.member('second', { rights });
    await member.start();
    await world.until(() => member.told.purged === 1, 1000);
    expect(await leftovers()).toEqual([]);
    expect(member.told).toMatchObject({ givenUp: 1, purged: 1 });
  });
});

/** What becomes of the import: it waits; it is tried again and arrives after all; it arrives once more; its answer is lost. */
const importFaults: readonly FaultKind[] = ['held', 'late', 'twice', 'lostAnswer'];

describe('a sink that is deleted and made again while it imports', () => {
  it.each(importFaults)('D2, D3: has in its table what both took, each once, though the import is %s', async (kind) => {
    const settings = {
      'storage.level.staging.upload.trigger.interval': '1s',
      'storage.level.target.import.trigger.interval': '30s',
      'storage.level.target.import.trigger.count': 3,
    };
    await addWorldSource(world, { settings });
    const member = world.member('main');
    member.faults.add({ port: 'tables', method: 'import', kind });
    await member.start();
    await world.produce(3);
    await world.until(() => member.faults.isSpent);
    await world.produce(2);
    await deleteSink(world, sink);
    const again = await world.addSink('orders', { isRemade: true });
    await world.produce(4);
    await world.pass(5000, 50);
    // What waits goes on now, the rest arrives when nothing of the first is left.
    if (kind === 'held') await member.faults.deliver();
    await world.until(() => member.told.purged === 1, 1000);
    await member.faults.deliver();
    await world.delivered(again);
    expect(await world.rows(again)).toEqual(world.produced().all);
    expect(await leftovers()).toEqual([]);
    const totals = (await world.progress(again)).totals[0];
    const codes = new Set(member.told.alarms.map(({ code }) => code));
    codes.delete('table.unavailable');
    expect([totals?.rows, [...codes], member.told.givenUp]).toEqual([4, [], 0]);
  });

  it('D2, D3: disabled and enabled meanwhile it takes no event of between, and each other one once', async () => {
    const member = world.member('main');
    member.faults.add({ port: 'tables', method: 'import', kind: 'held' });
    await member.start();
    await world.produce(3);
    await world.until(() => member.faults.isSpent, 1000);
    const ends = await world.ends();
    await world.change(sink, (progress) => close(progress, ends, { deleted: false }));
    await world.produce(2);
    const later = await world.ends();
    await world.change(sink, (progress) => open(progress, later));
    await world.produce(3);
    await world.pass(2000);
    await member.faults.deliver();
    await world.delivered(sink);
    expect(await world.rows(sink)).toEqual(['0/0', '0/1', '0/2', '0/5', '0/6', '0/7']);
  });
});
