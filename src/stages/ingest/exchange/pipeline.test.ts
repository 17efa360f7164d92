import { expect, test } from 'vitest';
import { pipelinedRequests } from '../../../listener/pipelines.ts';
import { RawClient } from '../../../../test/support/raw-client.ts';
import { startIngest, until } from '../../../../test/support/ingest-harness.ts';

const total = 6000;
/** Node takes what it has read, 64 KB at a time, before it stops. */
const readAhead = Math.ceil(65_536 / 100);

function pipelined(path: string): string {
  const padding = 'p'.repeat(100);
  return `POST ${path} HTTP/1.1\r\nHost: h\r\nX-Padding: ${padding}\r\nContent-Length: 1\r\n\r\na`.repeat(total);
}

test('D8: of requests that are sent faster than the log takes them, only so many are read', async () => {
  await using ingest = await startIngest();
  ingest.log.hold();
  using client = await RawClient.connect(ingest.port);
  const sent = client.send(pipelined(ingest.path));
  await until(() => ingest.records().length >= pipelinedRequests);
  // What could still come would come by turns of the event loop, without a pause between them.
  for (let turn = 0; turn < 200; turn++) await new Promise((resolve) => setImmediate(resolve));
  expect(ingest.records().length).toBeLessThan(2 * (pipelinedRequests + readAhead));
  ingest.log.release();
  await sent;
  const statuses = new Set<number | undefined>();
  for (let answers = 0; answers < total; answers++) statuses.add((await client.answer())?.status);
  expect([...statuses]).toEqual([200]);
  expect(ingest.records()).toHaveLength(total);
  await until(() => ingest.service.load().requests === 0);
  expect(ingest.service.load().bytes).toBe(0);
});
