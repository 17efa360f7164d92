import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { lastingPort } from '../../../test/support/free-port.ts';
import { patienceMs } from './config.ts';
import { openKafkaEventLog } from './event-log.ts';

it('D10: a member that is closed does not wait for brokers that are away', async () => {
  const options = { signal: new AbortController().signal };
  const log = openKafkaEventLog({ brokers: [`127.0.0.1:${await lastingPort()}`], clientId: 'test' });
  const member = await log.join({ group: 'orders', member: 'one' }, options);
  await member.subscribe(['orders'], options);
  expect(await member.poll({ maxBytes: 1, maxWaitMs: 300 }, options)).toEqual([]);
  const close = async (): Promise<string> => {
    await member[Symbol.asyncDispose]();
    await log[Symbol.asyncDispose]();
    return 'closed';
  };
  // An operation waits for brokers for twice as long.
  expect(await Promise.race([close(), sleep(patienceMs / 2, 'waited for', { ref: false })])).toBe('closed');
});
