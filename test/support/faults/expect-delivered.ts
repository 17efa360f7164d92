import { expect } from 'vitest';
import { conserveAll } from '../../../src/core/accounts/conservation.ts';
import type { DeliveryWorld, WorldSink } from './delivery-world.ts';

/**
 * Checks that every event is in the table or among the dead letters, once (D2, D3), but for those at the places `holes`; that
 * the numbers of D4 agree with the count; and that no failure is shown any more (D6).
 */
export async function expectDelivered(
  world: DeliveryWorld,
  sink: WorldSink,
  { holes = [] }: { readonly holes?: readonly string[] } = {},
): Promise<void> {
  const { all, broken } = world.produced();
  const wanted = all.filter((at) => !holes.includes(at));
  const [rows, dead] = [await world.rows(sink), await world.deadLetters(sink)];
  expect(rows, 'D2, D3: rows').toEqual(wanted.filter((at) => !broken.has(at)).toSorted());
  expect(dead, 'D2, D3: dead letters').toEqual(wanted.filter((at) => broken.has(at)).toSorted());
  const counts = conserveAll(await world.progress(sink), (await world.ends()).durable);
  const sum = (pick: (one: (typeof counts)[number]) => number): number =>
    counts.reduce((total, one) => total + pick(one), 0);
  expect(
    {
      accepted: sum((one) => one.accepted),
      rows: sum((one) => one.rows),
      dead: sum((one) => one.dead),
      holes: sum((one) => one.holes),
      difference: sum((one) => one.difference),
    },
    'D4',
  ).toEqual({ accepted: all.length, rows: rows.length, dead: dead.length, holes: holes.length, difference: 0 });
  await world.until(async () => (await world.statuses()).length === 0);
}
