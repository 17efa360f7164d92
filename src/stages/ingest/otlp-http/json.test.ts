import { expect, test } from 'vitest';
import { startIngest, testSecret, testSource, type IngestHarness } from '../../../../test/support/ingest-harness.ts';

const source = testSource({ type: 'otlp' });
const path = `/otlp/1/orders/${testSecret}/v1`;

function post(ingest: IngestHarness, signal: string, body: object | string): Promise<Response> {
  return fetch(`${ingest.url}${path}/${signal}`, {
    method: 'POST',
    headers: { 'content-type': 'Application/JSON; charset=utf-8' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

function logs(...bodies: readonly string[]): object {
  const logRecords = bodies.map((stringValue) => ({ timeUnixNano: '1790000000123456789', body: { stringValue } }));
  return { resourceLogs: [{ scopeLogs: [{ logRecords }] }] };
}

test('A52: a request in JSON is answered in JSON', async () => {
  await using ingest = await startIngest([source]);
  const answer = await post(ingest, 'logs', logs('one', 'two'));
  expect([answer.status, answer.headers.get('content-type'), await answer.text()]).toEqual([
    200,
    'application/json',
    '{}',
  ]);
  const bodies = ingest.records().map(({ value }) => JSON.parse(Buffer.from(value).toString()) as unknown);
  expect(bodies).toMatchObject([
    { timestamp: '2026-09-21T14:13:20.123456789Z', body: 'one' },
    { timestamp_unix_nano: '1790000000123456789', body: 'two' },
  ]);
});

test('A52: an empty envelope in JSON is taken, and makes nothing', async () => {
  await using ingest = await startIngest([source]);
  for (const [signal, body] of [
    ['logs', {}],
    ['metrics', { resourceMetrics: [] }],
    ['traces', { resourceSpans: [{ resource: {}, scopeSpans: [{}] }] }],
  ] as const) {
    const answer = await post(ingest, signal, body);
    expect([signal, answer.status, await answer.text()]).toEqual([signal, 200, '{}']);
  }
  expect(ingest.records()).toEqual([]);
});

test.each([
  ['{', 'no valid JSON'],
  ['[]', 'must be an object'],
  ['{"resourceLogs":{}}', 'resourceLogs'],
  ['{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"timeUnixNano":"-1"}]}]}]}', 'timeUnixNano'],
  ['{"resourceLogs":[{"scopeLogs":[{"logRecords":[{"traceId":"5b8e"}]}]}]}', '32 hexadecimal digits'],
])('D9: the body %s is refused with a status that says why, and nothing is stored', async (body, why) => {
  await using ingest = await startIngest([source]);
  const answer = await post(ingest, 'logs', body);
  expect([answer.status, answer.headers.get('content-type')]).toEqual([400, 'application/json']);
  expect(await answer.json()).toEqual({ code: 3, message: expect.stringContaining(why) as string });
  expect(ingest.records()).toEqual([]);
  expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
});

test('A52: what is taken in part says so, and the rest is stored', async () => {
  await using ingest = await startIngest([source]);
  const answer = await post(ingest, 'logs', logs('small', 'x'.repeat(1024 ** 2), 'small, too'));
  expect(answer.status).toBe(200);
  expect(await answer.json()).toEqual({
    partialSuccess: {
      rejectedLogRecords: '1',
      errorMessage: expect.stringContaining('1 record was rejected') as string,
    },
  });
  expect(ingest.records()).toHaveLength(2);
});
