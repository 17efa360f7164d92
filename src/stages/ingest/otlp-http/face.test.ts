import { describe, expect, test } from 'vitest';
import {
  headerOf,
  startIngest,
  testSecret,
  testSource,
  type IngestHarness,
} from '../../../../test/support/ingest-harness.ts';
import { logsRequest, namedRequest, responseOf, statusOf } from '../../../../test/support/otlp-messages.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { signals } from '../../../core/event.ts';

const source = testSource({ type: 'otlp' });
const path = `/otlp/1/orders/${testSecret}/v1/logs`;
const protobuf = 'application/x-protobuf';

interface Sent {
  readonly path?: string;
  readonly body?: Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

function post(ingest: IngestHarness, sent: Sent = {}): Promise<Response> {
  return fetch(ingest.url + (sent.path ?? path), {
    method: 'POST',
    body: new Uint8Array(sent.body ?? logsRequest(1)),
    headers: { 'content-type': protobuf, ...sent.headers },
  });
}

async function bytesOf(answer: Response): Promise<Uint8Array> {
  return new Uint8Array(await answer.arrayBuffer());
}

function expectNothingHeld(ingest: IngestHarness): void {
  expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
}

describe('A52: a source of OpenTelemetry is found', () => {
  test.each(signals)('by its secret in the path, or as Bearer in any case: %s', async (signal) => {
    await using ingest = await startIngest([source]);
    const body = namedRequest(signal, ['one']);
    const byPath = await post(ingest, { path: `/otlp/1/orders/${testSecret}/v1/${signal}`, body });
    expect([byPath.status, byPath.headers.get('content-type')]).toEqual([200, protobuf]);
    expect(await bytesOf(byPath)).toHaveLength(0);
    for (const scheme of ['Bearer', 'bearer', 'BEARER']) {
      const headers = { authorization: `${scheme} ${testSecret}` };
      expect((await post(ingest, { path: `/otlp/1/orders/v1/${signal}`, body, headers })).status).toBe(200);
    }
    expect(ingest.records()).toHaveLength(4);
    for (const record of ingest.records()) expect(headerOf(record, 'authorization')).toBe(undefined);
    for (const record of ingest.records()) expect(headerOf(record, 'millrace-signal')).toBe(signal);
  });

  test('before its body is looked at: a wrong secret, none, Basic, or another source is 404', async () => {
    await using ingest = await startIngest([source]);
    const body = Buffer.from('no protobuf');
    const tries: readonly Sent[] = [
      { path: `/otlp/1/orders/${testSecret.slice(1)}x/v1/logs` },
      { path: '/otlp/1/orders/v1/logs' },
      { path: '/otlp/1/orders/v1/logs', headers: { authorization: `Basic ${testSecret}` } },
      { path: `/otlp/1/others/${testSecret}/v1/logs` },
      { path: `/otlp/2/orders/${testSecret}/v1/logs` },
      { path: '/otlp/1/orders/v1/logs', headers: { 'content-type': 'text/plain' } },
    ];
    for (const sent of tries) {
      const answer = await post(ingest, { ...sent, body });
      expect([answer.status, await answer.json()]).toMatchObject([404, { error: 'stream.in.noSourceFound' }]);
    }
    expectNothingHeld(ingest);
  });

  test('at its own paths alone: the secret of one of plain events does not work there, nor the other way round', async () => {
    await using ingest = await startIngest([source]);
    expect((await post(ingest, { path: `/stream/1/orders/${testSecret}` })).status).toBe(404);
    ingest.setSources([testSource()]);
    expect((await post(ingest)).status).toBe(404);
    expect((await post(ingest, { path: `/stream/1/orders/${testSecret}` })).status).toBe(200);
    ingest.setSources([source]);
    expect((await post(ingest)).status).toBe(200);
    expect(ingest.records()).toHaveLength(2);
  });

  test('when it is enabled, in a project with a number, and at a signal of version 1', async () => {
    await using ingest = await startIngest([testSource({ type: 'otlp', disabled: true })]);
    expect((await post(ingest)).status).toBe(404);
    expect((await post(ingest, { path: `/otlp/x/orders/${testSecret}/v1/logs` })).status).toBe(400);
    for (const end of ['v1development/profiles', 'v1/profiles', 'v1', 'v1/logs/', 'V1/logs', 'v2/logs'])
      expect((await post(ingest, { path: `/otlp/1/orders/${testSecret}/${end}` })).status).toBe(404);
  });

  test('A26: by a browser, which asks before; another method is 405', async () => {
    await using ingest = await startIngest([source]);
    const headers = { origin: 'https://shop.example', 'access-control-request-headers': 'content-type' };
    for (const each of [path, '/otlp/1/orders/v1/logs']) {
      const asked = await fetch(ingest.url + each, { method: 'OPTIONS', headers });
      expect([asked.status, asked.headers.get('access-control-allow-methods')]).toEqual([200, 'OPTIONS, POST']);
      const read = await fetch(ingest.url + each);
      expect([read.status, read.headers.has('allow')]).toEqual([405, true]);
    }
  });
});

describe('A52: a request of OpenTelemetry', () => {
  test.each(['application/x-protobuf', 'application/protobuf', 'Application/X-Protobuf ; charset=utf-8'])(
    'is read as its content type says: %s',
    async (type) => {
      await using ingest = await startIngest([source]);
      const answer = await post(ingest, { headers: { 'content-type': type } });
      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, protobuf]);
    },
  );

  test.each(['text/plain', 'application/x-protobuffer', 'application/vnd.api+json'])(
    'of content type %s is 415',
    async (type) => {
      await using ingest = await startIngest([source]);
      const answer = await post(ingest, { headers: { 'content-type': type } });
      expect([answer.status, await answer.json()]).toMatchObject([415, { error: 'stream.in.unsupportedMediaType' }]);
      expect(ingest.records()).toEqual([]);
    },
  );

  test('is one append; its records have an id each, and arrival, headers and sender together', async () => {
    await using ingest = await startIngest([testSource({ type: 'otlp', partitions: 3 })]);
    expect((await post(ingest, { body: logsRequest(5), headers: { 'x-tenant': 'a' } })).status).toBe(200);
    const records = ingest.records();
    expect(records.map(({ value }) => (JSON.parse(Buffer.from(value).toString()) as { body: string }).body)).toEqual([
      '0',
      '1',
      '2',
      '3',
      '4',
    ]);
    expect(new Set(records.map((record) => headerOf(record, 'millrace-id'))).size).toBe(5);
    for (const record of records) {
      expect(record.timestamp).toBe(ingest.clock.now());
      expect(headerOf(record, 'x-tenant')).toBe('a');
      expect(headerOf(record, 'millrace-remote')).toBe('127.0.0.1');
      expect(headerOf(record, 'millrace-format')).toBe('json');
      expect(headerOf(record, 'millrace-format-reason')).toBe('otlp');
    }
    expect(ingest.told).toHaveLength(1);
    expect(ingest.told[0]).toMatch(/^stored orders 5 /);
    expectNothingHeld(ingest);
  });

  test('without a record is answered 200, and makes nothing', async () => {
    await using ingest = await startIngest([source]);
    const empty = await post(ingest, { body: Buffer.alloc(0) });
    expect([empty.status, (await bytesOf(empty)).length]).toEqual([200, 0]);
    expect((await post(ingest, { body: logsRequest(0) })).status).toBe(200);
    expect(ingest.records()).toEqual([]);
    expectNothingHeld(ingest);
  });

  test('that cannot be decoded is 400 with a status that says where, and nothing of it is stored', async () => {
    await using ingest = await startIngest([source]);
    const whole = logsRequest(3);
    const answer = await post(ingest, { body: Buffer.concat([whole, Buffer.from([0x0a, 0x05, 0x01])]) });
    expect([answer.status, answer.headers.get('content-type'), answer.headers.get('retry-after')]).toEqual([
      400,
      protobuf,
      null,
    ]);
    const { code, message } = statusOf(await bytesOf(answer));
    expect(code).toBe(3);
    expect(message).toMatch(/cannot be decoded as OTLP logs in protobuf\. .*byte \d+.* Nothing was stored\.$/);
    expect(ingest.records()).toEqual([]);
    expectNothingHeld(ingest);
  });

  test('is told to come again when the log fails, with a status in its encoding', async () => {
    await using ingest = await startIngest([source]);
    ingest.log.refuseWith(new MillraceError('log.unavailable', 'no answer'));
    const answer = await post(ingest);
    expect([answer.status, answer.headers.has('retry-after')]).toEqual([503, true]);
    expect(statusOf(await bytesOf(answer))).toMatchObject({ code: 14 });
    expectNothingHeld(ingest);
  });

  test('with a record that is too large is taken in part, and the answer counts what was not', async () => {
    await using ingest = await startIngest([source]);
    const answer = await post(ingest, { body: logsRequest(1, { body: 'x'.repeat(1024 ** 2) }) });
    expect(answer.status).toBe(200);
    const { partial_success: partial } = responseOf('logs', await bytesOf(answer));
    expect(partial).toMatchObject({
      rejected_log_records: '1',
      error_message: expect.stringContaining('1MB') as string,
    });
    expect(ingest.records()).toEqual([]);
    expectNothingHeld(ingest);
  });
});
