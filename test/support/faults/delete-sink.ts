import { LastEnds } from '../../../src/control/ends/last-ends.ts';
import { close } from '../../../src/core/progress/switch.ts';
import { never, type DeliveryWorld, type WorldSink } from './delivery-world.ts';

/** Deletes the sink as the API does, whatever became of its topics. */
export async function deleteSink(world: DeliveryWorld, sink: WorldSink): Promise<void> {
  const ends = await new LastEnds(world.ports).read(await world.progress(sink), never);
  await world.change(sink, (progress) => close(progress, ends, { deleted: true }));
}
