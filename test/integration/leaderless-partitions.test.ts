import { expect, it } from 'vitest';
import { MillraceError } from '../../src/core/millrace-error.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import { DeliveryWorld } from '../support/faults/delivery-world.ts';
import { withMethod } from '../support/with-method.ts';

/** A log of which some partition has no leader: nobody can tell the ends of all. */
function leaderless(log: EventLog): EventLog {
  return withMethod(log, 'ranges', () => Promise.reject(new MillraceError('log.unavailable', 'there is no leader')));
}

it('D6: a partition is mapped, staged and imported while another one of its topics has no leader', async () => {
  await using world = await DeliveryWorld.open({ partitions: 2 });
  const sink = await world.addSink();
  const { sourceLog, sinkLog } = world.ports;
  const member = world.member('main', {
    ports: { sourceLog: leaderless(sourceLog), sinkLog: leaderless(sinkLog) },
  });
  await member.start();
  await world.produce(20, { partition: 1 });
  await world.delivered(sink);
  expect(await world.rows(sink)).toHaveLength(20);
  expect(await world.statuses()).toEqual([]);
});
