import { expect, test } from 'vitest';
import type { SourceId } from '../../../core/ids.ts';
import { pipelinedRequests } from '../../../listener/pipelines.ts';
import type { RawClient } from '../../../../test/support/raw-client.ts';
import { startIngest, testSource, until, type IngestHarness } from '../../../../test/support/ingest-harness.ts';

/** A source whose appends wait keeps the answers of a connection from being sent; another one takes events at once. */
async function startHeld(maxBufferedBytes: number): Promise<IngestHarness> {
  const key = { ...testSource().key, sourceId: 'others' as SourceId };
  const others = testSource({ key, topic: 'source.1.others' });
  const ingest = await startIngest([testSource(), others], { maxBufferedBytes });
  ingest.log.hold({ topic: 'source.1.orders', partition: 0 });
  return ingest;
}

function post(path: string, body: string): string {
  return `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
}

async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

async function expectNothingHeld(ingest: IngestHarness): Promise<void> {
  await until(() => ingest.service.load().bytes === 0);
}

const events = 500;
const senders = 20;

test('D8: answers that nobody reads count in memory until they are sent; a request whose answer has no room gets 429', async () => {
  await using ingest = await startHeld(1_000_000);
  const others = `${ingest.path.replace('orders', 'others')}?batch=lines&verbose=true`;
  const clients: RawClient[] = [];
  // One after the other, so that only their answers are in memory together.
  for (let sender = 0; sender < senders; sender += 1) {
    const client = await ingest.connect();
    clients.push(client);
    await client.send(post(ingest.path, 'x') + post(others, '1\n'.repeat(events)));
    await until(() => ingest.records().length === clients.length);
    await turns(10);
  }
  // What the log has taken is not in memory any more; the answers are.
  const answers = ingest.records('source.1.others').length / events;
  expect(answers).toBeGreaterThan(1);
  expect(answers).toBeLessThan(1_000_000 / (events * 96));
  expect(ingest.service.load().bytes).toBeGreaterThan(answers * (events - 1) * 96);
  ingest.log.release();
  const statuses: (number | undefined)[] = [];
  for (const client of clients) statuses.push((await client.answer())?.status, (await client.answer())?.status);
  expect(statuses.filter((status) => status === 200)).toHaveLength(senders + answers);
  expect(statuses.filter((status) => status === 429)).toHaveLength(senders - answers);
  await expectNothingHeld(ingest);
  for (const client of clients) client.reset();
});

test('D8: answers of a connection that breaks count no more', async () => {
  await using ingest = await startHeld(400_000);
  using client = await ingest.connect();
  const others = `${ingest.path.replace('orders', 'others')}?batch=lines&verbose=true`;
  await client.send(post(ingest.path, 'x') + post(others, '1\n'.repeat(events)));
  await until(() => ingest.records('source.1.others').length > 0);
  client.reset();
  await client.closed();
  ingest.log.release();
  await expectNothingHeld(ingest);
});

test('D8: requests that wait behind others count, whatever they ask for; without room their connection is cut', async () => {
  await using ingest = await startHeld(pipelinedRequests * 4096 * 2);
  using patient = await ingest.connect();
  const nothing = 'GET /nothing HTTP/1.1\r\nHost: h\r\n\r\n';
  await patient.send(post(ingest.path, 'x') + nothing.repeat(pipelinedRequests / 2));
  await until(() => ingest.service.load().bytes > (pipelinedRequests / 2) * 4096);
  using greedy = await ingest.connect();
  await greedy.send(post(ingest.path, 'x') + nothing.repeat(10 * pipelinedRequests));
  await greedy.closed();
  expect(ingest.told).toContain('cut unreadAnswers');
  ingest.log.release();
  expect((await patient.answer())?.status).toBe(200);
  for (let read = 0; read < pipelinedRequests / 2; read += 1) expect((await patient.answer())?.status).toBe(404);
  await expectNothingHeld(ingest);
});
