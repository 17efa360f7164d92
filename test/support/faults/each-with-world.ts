import { afterEach, beforeEach } from 'vitest';
import { DeliveryWorld, type WorldOptions, type WorldSink } from './delivery-world.ts';

/** Gives each test that follows a world of its own with one sink, and takes the world down after it. */
export function eachWithWorld(
  take: (given: { readonly world: DeliveryWorld; readonly sink: WorldSink }) => void,
  options: WorldOptions = {},
): void {
  let world: DeliveryWorld | undefined;
  beforeEach(async () => {
    world = await DeliveryWorld.open(options);
    take({ world, sink: await world.addSink() });
  });
  afterEach(() => world?.[Symbol.asyncDispose]());
}
