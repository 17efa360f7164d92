import { expect, test } from 'vitest';
import { encoderNames, encoders } from '../../../../test/support/encoded.ts';
import { startIngest, testSecret, testSource, type IngestHarness } from '../../../../test/support/ingest-harness.ts';
import { logsRequest, statusOf } from '../../../../test/support/otlp-messages.ts';

const source = testSource({ type: 'otlp' });
const path = `/otlp/1/orders/${testSecret}/v1/logs`;

interface Sent {
  readonly encoding?: string;
}

function post(ingest: IngestHarness, body: Uint8Array, { encoding }: Sent = {}): Promise<Response> {
  const coded = encoding === undefined ? {} : { 'content-encoding': encoding };
  const headers = { 'content-type': 'application/x-protobuf', ...coded };
  return fetch(ingest.url + path, { method: 'POST', body: new Uint8Array(body), headers });
}

/** Status, Retry-After, and the code of the status in the body. */
async function refusalOf(answer: Response): Promise<readonly unknown[]> {
  const { code } = statusOf(new Uint8Array(await answer.arrayBuffer()));
  return [answer.status, answer.headers.get('retry-after'), code];
}

function expectNothing(ingest: IngestHarness): void {
  expect(ingest.records()).toEqual([]);
  expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
}

test.each(encoderNames)(
  'A43: a body in %s is decoded up to the limit, beyond it is 413 and not to be sent again',
  async (name) => {
    const body = logsRequest(100);
    await using ingest = await startIngest([source], { maxOtlpBodyBytes: body.length });
    expect((await post(ingest, encoders[name](body), { encoding: name })).status).toBe(200);
    expect(ingest.records()).toHaveLength(100);
    const longer = encoders[name](logsRequest(101));
    expect(longer.length).toBeLessThan(body.length);
    expect(await refusalOf(await post(ingest, longer, { encoding: name }))).toEqual([413, null, 8]);
    expect(ingest.records()).toHaveLength(100);
    expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
  },
);

test('A43: the limit of plain events does not hold for OpenTelemetry, and the other way round', async () => {
  const body = logsRequest(10);
  await using ingest = await startIngest([source], { maxOtlpBodyBytes: body.length, maxBodyBytes: 100 });
  expect((await post(ingest, body)).status).toBe(200);
  ingest.setSources([testSource()]);
  const plain = await fetch(`${ingest.url}/stream/1/orders/${testSecret}`, { method: 'POST', body: 'x'.repeat(101) });
  expect(plain.status).toBe(413);
});

test('A43: a body that is announced as too large is refused at once', async () => {
  await using ingest = await startIngest([source], { maxOtlpBodyBytes: 100 });
  expect(await refusalOf(await post(ingest, logsRequest(10)))).toEqual([413, null, 8]);
  expectNothing(ingest);
});

test('A43: what is broken in its coding is 400', async () => {
  await using ingest = await startIngest([source]);
  expect(await refusalOf(await post(ingest, Buffer.from('no gzip'), { encoding: 'gzip' }))).toEqual([400, null, 3]);
  expectNothing(ingest);
});

test('D8: more records than a request may hold are 413, and none is stored', async () => {
  await using ingest = await startIngest([source]);
  expect(await refusalOf(await post(ingest, logsRequest(50_001)))).toEqual([413, null, 8]);
  expectNothing(ingest);
});

test('D8: a large resource times many records is bounded, whatever the body takes', async () => {
  await using ingest = await startIngest([source]);
  const body = logsRequest(20_000, { resource: 'x'.repeat(500_000) });
  expect(body.length).toBeLessThan(2_000_000);
  expect(await refusalOf(await post(ingest, body))).toEqual([413, null, 8]);
  expectNothing(ingest);
});

test('D8: records that would take more memory than there is at all are 413; when others have it, 429', async () => {
  await using ingest = await startIngest([source], { maxBufferedBytes: 1_000_000 });
  expect(await refusalOf(await post(ingest, logsRequest(1000, { resource: 'x'.repeat(10_000) })))).toEqual([
    413,
    null,
    8,
  ]);
  expectNothing(ingest);
  ingest.log.hold();
  const first = post(ingest, logsRequest(50, { resource: 'x'.repeat(10_000) }));
  while (ingest.records().length < 50) await new Promise((resolve) => setImmediate(resolve));
  expect(await refusalOf(await post(ingest, logsRequest(50, { resource: 'x'.repeat(10_000) })))).toEqual([429, '1', 8]);
  ingest.log.release();
  expect((await first).status).toBe(200);
  expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
});

test('D8: a large body is decoded in turns: one that comes later is stored before it', async () => {
  await using ingest = await startIngest([source], { maxBufferedBytes: 512 * 1024 ** 2 });
  const large = logsRequest(40_000, { body: 'x'.repeat(700) });
  expect(large.length).toBeGreaterThan(28_000_000);
  using sender = await ingest.connect();
  using other = await ingest.connect();
  const head = (length: number): string =>
    `POST ${path} HTTP/1.1\r\nHost: h\r\nContent-Type: application/x-protobuf\r\nContent-Length: ${length}\r\n\r\n`;
  const small = logsRequest(1);
  await sender.send(Buffer.concat([Buffer.from(head(large.length)), large.subarray(0, -1)]));
  while (ingest.service.load().bytes < large.length) await new Promise((resolve) => setImmediate(resolve));
  await sender.send(large.subarray(-1));
  await other.send(Buffer.concat([Buffer.from(head(small.length)), small]));
  expect((await other.answer())?.status).toBe(200);
  expect((await sender.answer())?.status).toBe(200);
  expect(ingest.records()).toHaveLength(40_001);
  expect(ingest.records()[0]!.value.length).toBeLessThan(600);
  expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
});
