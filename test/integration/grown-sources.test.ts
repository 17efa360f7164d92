import { describe, expect, it } from 'vitest';
import { close, open } from '../../src/core/progress/switch.ts';
import { never, source, type DeliveryWorld, type WorldSink } from '../support/faults/delivery-world.ts';
import { eachWithWorld } from '../support/faults/each-with-world.ts';
import { expectDelivered } from '../support/faults/expect-delivered.ts';

let world: DeliveryWorld;
let sink: WorldSink;

eachWithWorld(
  (given) => {
    ({ world, sink } = given);
  },
  { partitions: 2 },
);

const grow = (partitions: number) => world.ports.sourceLog.growTopic(source, partitions, never);
const produce = async (count: number, partitions: readonly number[]): Promise<void> => {
  for (const partition of partitions) await world.produce(count, { partition, brokenEvery: 4 });
};
const partitionsOf = async ({ topic }: WorldSink): Promise<number | undefined> =>
  (await world.ports.sinkLog.describeTopic(topic, never))?.partitions;

describe('a source topic that gets more partitions from outside', () => {
  it('D2, D3, D4: its sinks follow without a restart, and each event of a partition that came later is delivered once', async () => {
    const member = world.member('main');
    await member.start();
    await produce(20, [0, 1]);
    await world.delivered(sink);
    await grow(4);
    await produce(20, [0, 1, 2, 3]);
    await world.delivered(sink);
    await expectDelivered(world, sink);
    expect(await partitionsOf(sink)).toBe(4);
    expect(member.told).toMatchObject({ failures: [], alarms: [], holes: 0, torn: [] });
  });

  it('D2, D3, D4: what came into them while no process ran is delivered after the start', async () => {
    const first = world.member('first');
    await first.start();
    await produce(20, [0, 1]);
    await world.delivered(sink);
    await world.drain(first);
    await grow(3);
    await produce(20, [0, 1, 2]);
    await world.member('second').start();
    await world.delivered(sink);
    await expectDelivered(world, sink);
  });

  it('D2: a sink that is disabled while it grows takes of the new partitions what comes after it is enabled', async () => {
    await world.member('main').start();
    const other = await world.addSink('refunds');
    const ends = await world.ends();
    await world.change(other, (progress) => close(progress, ends, { deleted: false }));
    await grow(4);
    await produce(20, [0, 1, 2, 3]);
    await world.delivered(sink);
    await world.until(async () => (await partitionsOf(other)) === 4);
    const ended = await world.ends();
    await world.change(other, (progress) => open(progress, ended));
    for (const partition of [1, 3]) await world.produce(5, { partition });
    await world.delivered(sink, other);
    await expectDelivered(world, sink);
    expect(await world.rows(other)).toEqual([1, 3].flatMap((at) => [20, 21, 22, 23, 24].map((n) => `${at}/${n}`)));
  });

  it('D2: a sink that is deleted as soon as it has grown delivers what came into the new partitions', async () => {
    await world.member('main').start();
    await grow(4);
    await produce(20, [2, 3]);
    const ends = await world.ends();
    await world.change(sink, (progress) => close(progress, ends, { deleted: true }));
    await world.until(async () => (await world.rows(sink)).length === 30);
    await world.until(async () => (await partitionsOf(sink)) === undefined);
  });
});
