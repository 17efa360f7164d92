import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { startTimedSender } from '../support/timed-sender.ts';

/** Past the intervals of the triggers; more with `MILLRACE_TEST_STOPPED_MS=65000`. */
const stoppedMs = Number(process.env['MILLRACE_TEST_STOPPED_MS'] ?? '4000');

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

describe('a process that the system stops and continues', () => {
  it(
    'D2, D3: loses and doubles nothing, under load, again and again',
    async () => {
      const shop = installation.shop();
      const sinks = ['first', 'second'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
      await shop.create(sinks, { uploadCount: 150, importCount: 300 });
      const sender = startTimedSender({ url: await shop.url(), connections: 8, padBytes: 300 });
      for (const ms of [stoppedMs, 50, 300]) {
        const goal = sender.events.length + 500;
        await eventually(() => expect(sender.events.length).toBeGreaterThan(goal));
        installation.process.kill('SIGSTOP');
        await sleep(ms);
        installation.process.kill('SIGCONT');
      }
      const goal = sender.events.length + 500;
      await eventually(() => expect(sender.events.length).toBeGreaterThan(goal));
      const events = await sender.stop();
      for (const { sinkId, tableId } of sinks) {
        await shop.flush(sinkId);
        const rows = await shop.numbersIn(tableId);
        expectExactlyOnce(rows, events);
        expectConserved(await shop.progress(sinkId), rows.length);
      }
    },
    300_000 + 2 * stoppedMs,
  );
});
