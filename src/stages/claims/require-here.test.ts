import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryWorld } from '../../../test/support/faults/delivery-world.ts';
import type { Migration } from '../../documents/migration-document.ts';
import { beginHere, requireHere } from './require-here.ts';

const waiting = { signal: new AbortController().signal };
const move = { id: 'm', to: 'Kafka cluster "k"', at: '2026-01-01T00:00:00.000Z' };

let world: DeliveryWorld;

beforeEach(async () => {
  world = await DeliveryWorld.open();
});

afterEach(() => world[Symbol.asyncDispose]());

it('M4: a process starts where everything is, and nowhere else', async () => {
  const { catalog } = world.ports;
  const start = async (side: Migration['side'], state: Migration['state']) => {
    await world.put('meta', 'migration', { ...move, side, state });
    await requireHere(catalog, waiting);
  };
  await requireHere(catalog, waiting);
  await expect(start('cluster', 'underWay')).rejects.toMatchObject({ code: 'migration.unfinished' });
  await start('cluster', 'done');
  await expect(start('process', 'done')).rejects.toMatchObject({
    code: 'migration.done',
    message: expect.stringContaining(move.to) as string,
  });
  await start('process', 'underWay');
  // What was copied so far is old: that move does not go on.
  expect(await catalog.get('meta', 'migration', waiting)).toBeUndefined();
});

it('M4: a process that has come between the look at an empty cluster and the first document of a move does not start', async () => {
  const { catalog } = world.ports;
  const begin = () => world.put('meta', 'migration', { ...move, side: 'cluster', state: 'underWay' });
  await expect(beginHere(catalog, { begin }, waiting)).rejects.toMatchObject({ code: 'migration.unfinished' });
});
