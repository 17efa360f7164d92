import { expect, it } from 'vitest';
import { lastingPort } from '../../../test/support/free-port.ts';
import { openKafkaEventLog } from './event-log.ts';

// An operation waits for brokers for longer than this test may take.
it('D10: a member that is closed does not wait for brokers that are away', { timeout: 5000 }, async () => {
  const options = { signal: new AbortController().signal };
  const log = openKafkaEventLog({ brokers: [`127.0.0.1:${await lastingPort()}`], clientId: 'test' });
  const member = await log.join({ group: 'orders', member: 'one' }, options);
  await member.subscribe(['orders'], options);
  expect(await member.poll({ maxBytes: 1, maxWaitMs: 300 }, options)).toEqual([]);
  await member[Symbol.asyncDispose]();
  await log[Symbol.asyncDispose]();
});
