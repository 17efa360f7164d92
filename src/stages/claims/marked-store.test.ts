import { expect, it, vi } from 'vitest';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { markedLog } from './marked-store.ts';

/** Makes the topic of a sink of this incarnation. */
async function makeTopic(world: DeliveryWorld, incarnation: number): Promise<void> {
  await world.ports.sinkLog.createTopic({ name: `sink.1.shop.orders.${incarnation}`, partitions: 1 }, never);
}

it('D8: incarnations that are handed out one after the other cost one look through the topics, not one each', async () => {
  await using world = await DeliveryWorld.open();
  const { sinkLog } = world.ports;
  const lists = vi.spyOn(sinkLog, 'listTopics');
  const store = markedLog('sink-log', sinkLog);
  const holds = (incarnation: number): Promise<boolean> => store.holds(parseIncarnation(incarnation), never);
  await makeTopic(world, 5);
  expect(await holds(6)).toBe(false);
  for (let incarnation = 7; incarnation < 50; incarnation += 1) {
    expect(await holds(incarnation)).toBe(false);
    await makeTopic(world, incarnation);
  }
  // Side by side the later one may ask first.
  expect([await holds(51), await holds(50)]).toEqual([false, false]);
  expect(lists.mock.calls).toHaveLength(1);
});

it('D3: a number that comes again is looked for among all topics, and so is one of the past, or from elsewhere in the order', async () => {
  await using world = await DeliveryWorld.open();
  const store = markedLog('sink-log', world.ports.sinkLog);
  const holds = (incarnation: number): Promise<boolean> => store.holds(parseIncarnation(incarnation), never);
  await makeTopic(world, 5);
  expect(await holds(10)).toBe(false);
  expect(await holds(11)).toBe(false);
  await makeTopic(world, 11);
  // The catalog was brought back.
  expect([await holds(11), await holds(5)]).toEqual([true, true]);
  await makeTopic(world, 500);
  expect(await holds(500)).toBe(true);
  expect(await holds(501)).toBe(false);
});
