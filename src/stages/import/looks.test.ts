import { afterEach, expect, it, vi } from 'vitest';
import { DeliveryWorld } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { raiseFloor } from '../../core/progress/seal.ts';
import { PartitionReader } from '../stage/partition-reader.ts';
import { SinkImporter } from './sink-importer.ts';

afterEach(() => vi.restoreAllMocks());

it('D8: what changes of one of 40 sinks makes nobody look at the other 39', async () => {
  await using world = await DeliveryWorld.open();
  await addWorldSource(world);
  const sink = await world.addSink();
  const sinks = [sink];
  for (let number = 1; number < 40; number += 1) sinks.push(await world.addSink(`sink-${number}`));
  const member = world.member('main');
  await member.start();
  await world.produce(3);
  await world.delivered(...sinks);
  await world.pass(2000);
  const imports = vi.spyOn(SinkImporter.prototype, 'dueAt');
  const stages = vi.spyOn(PartitionReader.prototype, 'due');
  for (let round = 1; round <= 10; round += 1) {
    await world.change(sink, (progress) => raiseFloor(progress, progress.floor + 1));
    await world.pass(400);
  }
  const looked = [
    imports.mock.contexts.map((importer: unknown) => (importer as SinkImporter).incarnation),
    stages.mock.contexts.map((reader: unknown) => (reader as PartitionReader).incarnation),
  ];
  expect(looked.map((incarnations) => [...new Set(incarnations)])).toEqual([[sink.incarnation], [sink.incarnation]]);
  expect([imports.mock.calls.length, stages.mock.calls.length].every((calls) => calls <= 20)).toBe(true);
});
