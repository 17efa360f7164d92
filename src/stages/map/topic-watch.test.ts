import { expect, it } from 'vitest';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { TopicWatch } from './topic-watch.ts';

it('D6: a topic is missing when two looks in a row have not found it, and never while the log is away', async () => {
  await using world = await DeliveryWorld.open();
  const faults = new Faults();
  const { sinkLog } = faults.behind(world.ports);
  const clock = new FakeClock();
  const watch = new TopicWatch(sinkLog, clock);
  await sinkLog.createTopic({ name: 'sink.1.here', partitions: 1 }, never);
  await sinkLog.createTopic({ name: 'sink.1.later', partitions: 1 }, never);
  const told: string[][] = [];
  const watched = {
    sinkTopics: ['sink.1.here', 'sink.1.later', 'sink.1.gone'],
    missing: (topics: ReadonlySet<string>) => void told.push([...topics]),
  };
  const look = async (): Promise<void> => {
    watch.look([watched], never);
    await watch.ended();
    clock.advance(30_000);
  };
  await look();
  await look();
  expect(told, 'once is not enough').toEqual([]);
  faults.away('sinkLog');
  await look();
  faults.back('sinkLog');
  expect(told).toEqual([]);
  await look();
  expect(told).toEqual([['sink.1.gone']]);
  await sinkLog.deleteTopic('sink.1.later', never);
  await look();
  await look();
  expect(told).toEqual([['sink.1.gone'], ['sink.1.gone'], ['sink.1.later', 'sink.1.gone']]);
});
