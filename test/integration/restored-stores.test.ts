import { describe, expect, it } from 'vitest';
import { BroughtBackCatalog } from '../support/faults/brought-back-catalog.ts';
import { DeliveryWorld, never, source, type WorldSink } from '../support/faults/delivery-world.ts';
import { eachWithWorld } from '../support/faults/each-with-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import { expectStopped as expectStop } from '../support/faults/expect-stopped.ts';
import type { Member } from '../support/faults/member.ts';
import { addWorldSource } from '../support/faults/world-source.ts';

let world: DeliveryWorld;
let sink: WorldSink;

eachWithWorld((given) => {
  ({ world, sink } = given);
});

async function started(): Promise<Member> {
  const member = world.member('main');
  await member.start();
  return member;
}

async function deliver(count: number, ...sinks: readonly WorldSink[]): Promise<void> {
  await world.produce(count);
  await world.delivered(sink, ...sinks);
}

const expectStopped = (member: Member, code: string): Promise<void> => expectStop(world, sink, { member, code });

describe('D3: offsets that begin anew are never taken for repeats', () => {
  it('D3, D6: a sink topic made anew while everything stands still stops its sink', async () => {
    const before = await started();
    await deliver(20);
    await world.drain(before);
    await remake(sink.topic, 'sinkLog');
    await world.produce(5);
    await expectStopped(await started(), 'progress.topicChanged');
  });

  it('D3, D6: a sink topic made anew under the hands of its mapper stops its sink', async () => {
    const member = await started();
    await deliver(20);
    await remake(sink.topic, 'sinkLog');
    await world.produce(5);
    await expectStopped(member, 'progress.topicChanged');
  });

  it('D3, D6: a source topic made anew stops the sinks of the old one', async () => {
    const before = await started();
    await deliver(20);
    await world.drain(before);
    await remake(source, 'sourceLog');
    await world.produce(30);
    await expectStopped(await started(), 'progress.topicChanged');
  });
});

async function remake(topic: string, log: 'sourceLog' | 'sinkLog'): Promise<void> {
  await world.ports[log].deleteTopic(topic, never);
  await world.ports[log].createTopic({ name: topic, partitions: 1 }, never);
}

describe('D3: a store that was restored from an older copy', () => {
  it('D3, D6: the log of sinks ends below a known position: the sink stops', async () => {
    await started();
    await deliver(10);
    await world.copy('sink-log');
    await started();
    await deliver(10);
    await world.restore('sink-log');
    await world.produce(1);
    await expectStopped(await started(), 'progress.logBehind');
  });

  it('D3, D6: the log of sources ends below a known position: the sink stops', async () => {
    await started();
    await deliver(10);
    await world.copy('source-log');
    await started();
    await deliver(30);
    await world.restore('source-log');
    await expectStopped(await started(), 'progress.logBehind');
  });

  it('D3, D6: the catalog stands before imports that were made: the ledger stops the sink', async () => {
    await started();
    await deliver(10);
    await world.copy('catalog');
    await started();
    await deliver(10);
    await deliver(10);
    await world.restore('catalog');
    await expectStopped(await started(), 'table.ledgerMismatch');
  });

  it('D2, D3: the catalog stands before seals only: what was sealed is staged again, once', async () => {
    await started();
    await deliver(10);
    await world.copy('catalog');
    const staging = world.member('staging', { roles: ['map', 'stage'] });
    await staging.start();
    await world.produce(10);
    await world.until(async () => (await world.progress(sink)).staged.length > 0);
    await world.drain(staging);
    await world.restore('catalog');
    await started();
    await deliver(10);
    await expectDelivered(world, sink);
  });
});

/** It comes to that long before everything is looked at anyway. */
async function soon(check: () => Promise<boolean>): Promise<void> {
  const began = world.clock.monotonic();
  await world.until(async () => {
    if (world.clock.monotonic() - began > 15_000) throw new Error(`not soon: ${check.toString()}`);
    return check();
  }, 10);
}

describe('D2, D3, D5: a catalog that is brought back under running roles', () => {
  const upload = { 'storage.level.staging.upload.trigger.interval': '1s' };
  const interval = 'storage.level.target.import.trigger.interval';

  it('D2, D3, D5: what was sealed since is staged again soon and imported once, though no event comes', async () => {
    await using brought = new BroughtBackCatalog();
    await using own = await DeliveryWorld.open({ beside: brought });
    world = own;
    await addWorldSource(world, { settings: { ...upload, [interval]: '30s' } });
    sink = await world.addSink();
    await started();
    await deliver(3);
    await addWorldSource(world, { settings: { ...upload, [interval]: '24h' } });
    const stagedOf = async (): Promise<number> => (await world.progress(sink)).staged.length;
    const stage = async (slices: number): Promise<void> => {
      await world.produce(2);
      await soon(async () => (await stagedOf()) === slices);
    };
    await stage(1);
    await world.pass(1000);
    await brought.copy(world.ports.catalog, world.folder);
    await stage(2);
    await stage(3);
    brought.bringBack();
    expect(await stagedOf()).toBe(1);
    await soon(async () => (await world.progress(sink)).entries[0]?.source === 8);
    await addWorldSource(world, { settings: { ...upload, [interval]: '30s' } });
    await world.pass(30_000, 500);
    await soon(async () => (await world.rows(sink)).length === 9);
    await expectDelivered(world, sink);
  });
});
