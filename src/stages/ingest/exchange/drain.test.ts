import { expect, test } from 'vitest';
import { startIngest, testSource, until } from '../../../../test/support/ingest-harness.ts';

function head(path: string, length: number, ...lines: readonly string[]): string {
  return `${[`POST ${path} HTTP/1.1`, 'Host: h', `Content-Length: ${length}`, ...lines].join('\r\n')}\r\n\r\n`;
}

test('D10: what was accepted is stored and answered, with the end of its connection', async () => {
  await using ingest = await startIngest();
  ingest.log.hold();
  using client = await ingest.connect();
  await client.send(head(ingest.path, 2) + 'hi');
  await until(() => ingest.records().length === 1);
  const drained = ingest.service.drain();
  ingest.log.release();
  const answer = await client.answer();
  expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'close']);
  await client.closed();
  await drained;
  await ingest.running;
});

test('D10: events that were answered with 202 are in the log before the drain ends', async () => {
  await using ingest = await startIngest([testSource({ syncWait: false })]);
  ingest.log.hold();
  expect((await fetch(ingest.url + ingest.path, { method: 'POST', body: 'x' })).status).toBe(202);
  let ended = false;
  const drained = ingest.service.drain().then(() => {
    ended = true;
    return undefined;
  });
  await expect(fetch(`${ingest.url}/health-check`)).rejects.toThrow('fetch failed');
  expect(ended).toBe(false);
  ingest.log.release();
  await drained;
  expect(ingest.told).toContain('stored orders 1 1');
});

test('D10: a body that is still arriving may end; a request after it gets 503', async () => {
  await using ingest = await startIngest();
  using client = await ingest.connect();
  await client.send(head(ingest.path, 4) + 'ha');
  await until(() => ingest.service.load().requests === 1);
  using pipelining = await ingest.connect();
  await pipelining.send(`POST ${ingest.path} HTTP/1.1\r\nHost: h\r\nContent-Le`);
  await fetch(`${ingest.url}/health-check`);
  const drained = ingest.service.drain();
  await client.send('lf');
  expect((await client.answer())?.status).toBe(200);
  await pipelining.send('ngth: 2\r\n\r\nhi');
  const refused = await pipelining.answer();
  expect(refused?.body ?? 'stream.in.shutdown').toContain('stream.in.shutdown');
  await pipelining.closed();
  await drained;
  expect(ingest.records()).toHaveLength(1);
});

test('D10: a body that does not end is cut when the patience is over', async () => {
  await using ingest = await startIngest();
  using client = await ingest.connect();
  await client.send(head(ingest.path, 4) + 'ha');
  await until(() => ingest.service.load().requests === 1);
  const drained = ingest.service.drain();
  ingest.clock.wakeAll();
  const answer = await client.answer();
  expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([503, '2']);
  expect(answer?.body).toContain('stream.in.shutdown');
  await drained;
  expect(ingest.records()).toEqual([]);
});

test('D10: idle connections do not hold it up, and a second drain is the first', async () => {
  await using ingest = await startIngest();
  using idle = await ingest.connect();
  await idle.send(head(ingest.path, 1) + 'a');
  await idle.answer();
  using silent = await ingest.connect();
  await Promise.all([ingest.service.drain(), ingest.service.drain()]);
  await idle.closed();
  await silent.closed();
});

test('an abort leaves at once', async () => {
  await using ingest = await startIngest();
  ingest.log.hold();
  using client = await ingest.connect();
  await client.send(head(ingest.path, 2) + 'hi');
  await until(() => ingest.records().length === 1);
  await ingest.service[Symbol.asyncDispose]();
  await client.closed();
  await ingest.running;
  expect(await client.answer()).toBe(undefined);
});

test('a service that was never started can be drained and disposed', async () => {
  await using ingest = await startIngest();
  const { createIngest } = await import('../../../../test/support/create-ingest.ts');
  const { silentIngest } = await import('../../../../test/support/silent-ingest.ts');
  const service = createIngest({
    log: ingest.log.log,
    sources: { version: 1, find: () => [], all: () => [] },
    clock: ingest.clock,
    telemetry: silentIngest,
  });
  await service.drain();
  await service[Symbol.asyncDispose]();
});
