import { expect } from 'vitest';
import type { DeliveryWorld, WorldSink } from './delivery-world.ts';
import type { Member } from './member.ts';

/** Waits for the alarm, lets an hour go by, and checks that the sink stands where it stood while another one goes on. */
export async function expectStopped(
  world: DeliveryWorld,
  sink: WorldSink,
  { member, code }: { readonly member: Member; readonly code: string },
): Promise<void> {
  await world.until(async () => (await world.statuses()).some((status) => status.endsWith(code)), 500);
  const other = await world.addSink('others');
  const rows = await world.rows(sink);
  await world.produce(10);
  await world.delivered(other);
  await world.pass(60_000, 1000);
  expect(await world.rows(sink)).toEqual(rows);
  expect(new Set(rows).size).toBe(rows.length);
  expect(await world.rows(other)).toHaveLength(10);
  const { alarms } = member.told;
  const codes = alarms.filter(({ incarnation }) => incarnation === sink.incarnation).map((alarm) => alarm.code);
  expect([...new Set(codes)]).toEqual([code]);
}
