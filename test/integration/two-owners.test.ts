import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryWorld, type WorldSink } from '../support/faults/delivery-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';
import type { Member } from '../support/faults/member.ts';

let world: DeliveryWorld;
let sinks: readonly WorldSink[];

beforeEach(async () => {
  world = await DeliveryWorld.open({ partitions: 2 });
  sinks = [await world.addSink('orders'), await world.addSink('refunds')];
});

afterEach(async () => {
  await world[Symbol.asyncDispose]();
});

/** Events in both partitions, again and again, until each round is delivered. */
async function trade(rounds: number, between: (round: number) => Promise<void> | void = () => undefined) {
  for (let round = 0; round < rounds; round += 1) {
    await between(round);
    for (const partition of [0, 1]) await world.produce(20, { partition, brokenEvery: 3 + round });
    await world.delivered(...sinks);
  }
}

async function expectAll(...members: readonly Member[]): Promise<void> {
  for (const sink of sinks) await expectDelivered(world, sink);
  for (const { told } of members) expect(told).toMatchObject({ failures: [], alarms: [], holes: 0, torn: [] });
}

describe('processes that share a source', () => {
  it('D2, D3, D4: two that both believe to own everything map, stage and import each event once, without an alarm', async () => {
    const members = [world.member('a', { isZombie: true }), world.member('b', { isZombie: true })];
    for (const member of members) await member.start();
    await trade(5);
    await expectAll(...members);
  });

  it('D2, D3, D4: one that stands still in the middle of each of its calls and goes on later spoils nothing', async () => {
    const [slow, quick] = [world.member('slow', { isZombie: true }), world.member('quick', { isZombie: true })];
    await slow.start();
    await quick.start();
    const calls = [
      { port: 'sinkLog', method: 'append' },
      { port: 'objects', method: 'put' },
      { port: 'catalog', method: 'compareAndSet' },
      { port: 'tables', method: 'import' },
    ] as const;
    await trade(calls.length, async (round) => {
      const call = calls[round];
      if (call !== undefined) slow.faults.add({ ...call, kind: 'held' });
      await world.produce(5);
      await world.until(() => slow.faults.isSpent || round === calls.length, 500);
    });
    await slow.faults.deliver();
    await trade(2);
    await expectAll(slow, quick);
  });

  it('D2, D3, D4: partitions that move from one to the other and back are delivered once', async () => {
    const first = world.member('first');
    await first.start();
    await trade(1);
    const second = world.member('second');
    await second.start();
    await trade(2);
    await world.drain(first);
    await trade(1);
    const third = world.member('third');
    await third.start();
    await trade(2);
    await expectAll(first, second, third);
  });

  it('D2: one whose group forgets positions whenever it assigns anew reads on where it stood', async () => {
    const member = world.member('main', { isForgetful: true });
    await member.start();
    await trade(1);
    const other = await world.addSink('returns', { starts: 0 });
    for (const partition of [0, 1]) await world.produce(20, { partition });
    await world.delivered(...sinks, other);
    await expectAll(member);
    await expectDelivered(world, other);
  });

  it('D2: one whose group forgets positions reads on in the partitions that stay when another one joins', async () => {
    const member = world.member('main', { isForgetful: true });
    await member.start();
    await trade(1);
    const second = world.member('second', { isForgetful: true });
    await second.start();
    await trade(2);
    await expectAll(member, second);
  });
});
