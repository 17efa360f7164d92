import { expect, it } from 'vitest';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { progressId } from '../../core/documents/document-id.ts';
import { objectName } from '../../core/object-name.ts';
import { Collector } from './collector.ts';

it('D6: a document that cannot be read keeps its own objects, and only those', async () => {
  await using world = await DeliveryWorld.open();
  const sinks = [await world.addSink('broken'), await world.addSink('healthy')];
  const names = sinks.map(({ incarnation }) =>
    objectName({ incarnation, partition: 0, stamp: world.clock.now(), unique: 'left', part: 'rows' }),
  );
  for (const name of names) await world.ports.objects.put(name, { kind: 'bytes', bytes: Buffer.from('x') }, never);
  const [broken] = sinks;
  if (broken !== undefined) await world.put('progress', progressId(broken.incarnation), { not: 'a progress' });
  const { clock } = world;
  const observer = { objectsCollected: () => undefined };
  const collector = new Collector({ ...world.ports, clock, observer, leaseMs: 60_000 });
  clock.advance(120_000);
  await expect(collector.collect(never)).rejects.toMatchObject({ code: 'catalog.invalidDocument' });
  expect(await world.objects()).toEqual(names.slice(0, 1));
});
