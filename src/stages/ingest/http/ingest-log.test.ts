import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openLmdbEventLog, type LmdbEventLog } from '../../../adapters/lmdb/event-log.ts';
import { headerOf, testSecret, testSource, StillClock } from '../../../../test/support/ingest-harness.ts';
import { silentIngest } from '../../../../test/support/silent-ingest.ts';
import { createIngest } from '../../../../test/support/create-ingest.ts';

const signal = new AbortController().signal;
const at = { topic: 'source.1.orders', partition: 0 };

async function withLog(use: (open: () => Promise<LmdbEventLog>) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-ingest-'));
  const path = join(folder, 'log');
  try {
    await use(() => openLmdbEventLog({ path, instance: 'test', first: true, clock: new StillClock() }));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

test('D1: what was answered with 200 is in the embedded log, whole and in order, when it is opened again', async () => {
  await withLog(async (open) => {
    const clock = new StillClock();
    {
      await using log = await open();
      await log.createTopic({ name: at.topic, partitions: 1 }, { signal });
      const sources = { version: 1, find: () => [testSource()], all: () => [] };
      await using ingest = createIngest({ log, sources, clock, telemetry: silentIngest });
      await ingest.start();
      const url = `http://127.0.0.1:${ingest.address()?.port ?? 0}/stream/1/orders/${testSecret}?batch=array`;
      const post = (body: string): Promise<Response> => fetch(url, { method: 'POST', body });
      const answers = await Promise.all(['[1,2,3]', '[4]', '[]', '[5, {"žluťoučký": 6.0}]'].map(post));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
      expect((await post('[7,')).status).toBe(400);
    }
    await using log = await open();
    expect(await log.ranges(at.topic, { signal })).toMatchObject([{ first: 0, durableEnd: 6 }]);
    const last = await log.lastRecord(at, { signal });
    expect(last?.timestamp).toBe(clock.now());
    expect(last === undefined ? undefined : headerOf(last, 'millrace-format')).toBe('json');
  });
});

test('D1: a source whose topic is gone is answered with 503, never with a 2xx', async () => {
  await withLog(async (open) => {
    await using log = await open();
    const sources = { version: 1, find: () => [testSource()], all: () => [] };
    const dependencies = { log, sources, clock: new StillClock(), telemetry: silentIngest };
    await using ingest = createIngest(dependencies);
    await ingest.start();
    const url = `http://127.0.0.1:${ingest.address()?.port ?? 0}/stream/1/orders/${testSecret}`;
    const answer = await fetch(url, { method: 'POST', body: 'x' });
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({ error: 'stream.in.logUnavailable' });
  });
});
