/*
 * Requests as Aiven's HTTP sink connector for Kafka Connect sends them, byte for byte: the head as recorded from the
 * connector and from Java's HTTP client with the headers of `connectors/aiven-*.json`, the bodies as it joins records. It
 * sends each request again, as it is and over the same connection, while the answer is 400 or more.
 */
import { describe, expect, test } from 'vitest';
import type { RawAnswer, RawClient } from '../../../../test/support/raw-client.ts';
import { headerOf, startIngest, testSecret, testSource, until } from '../../../../test/support/ingest-harness.ts';

/** What the connector sends, with an offer of HTTP/2 that nobody has to take (RFC 9110, 7.8). */
function recorded(target: string, body: string, headers: readonly string[] = []): Buffer {
  const bytes = Buffer.from(body);
  const head = [
    `POST ${target} HTTP/1.1`,
    'Connection: Upgrade, HTTP2-Settings',
    `Content-Length: ${bytes.length}`,
    'Host: 127.0.0.1:18090',
    'HTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA',
    'Upgrade: h2c',
    'User-Agent: Java-http-client/17.0.15',
    ...headers,
  ];
  return Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`), bytes]);
}

const bearer = `Authorization: Bearer ${testSecret}`;
const path = '/stream/1/orders';

const requests = [
  ['one record, secret in the URL', recorded(`${path}/${testSecret}`, '{"id":1,"name":"a"}'), ['{"id":1,"name":"a"}']],
  ['one record', recorded(path, 'žluť "q"\nb', [bearer, 'Content-Type: application/json']), ['žluť "q"\nb']],
  ['one empty text', recorded(path, '', [bearer, 'Content-Type: application/json']), ['']],
  ['a batch of lines', recorded(`${path}?batch=lines`, '{"a":1}\n{"b":2}\n', [bearer]), ['{"a":1}', '{"b":2}']],
  ['an array', recorded(`${path}?batch=array`, '[{"a":1},{"b": 2.0}]', [bearer]), ['{"a":1}', '{"b": 2.0}']],
  ['a batch to a source that does not split', recorded(path, '{"a":1}\n{"b":2}\n', [bearer]), ['{"a":1}\n{"b":2}\n']],
] as const;

/** Sends the same bytes over one connection until one of the answers is below 400. */
async function sendAsConnector(client: RawClient, request: Buffer, onAnswer: (answer: RawAnswer) => void) {
  for (;;) {
    await client.send(request);
    const answer = await client.answer();
    if (answer === undefined) throw new Error('the connection ended without an answer');
    onAnswer(answer);
    if (answer.status < 400) return;
  }
}

describe("a request of Aiven's connector", () => {
  test.each(requests)('%s is accepted as it is, and the connection kept', async (_, request, bodies) => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    for (let sent = 0; sent < 3; sent++) {
      await client.send(request);
      const answer = await client.answer();
      expect([answer?.status, answer?.body, answer?.headers.get('connection')]).toEqual([200, 'OK', 'keep-alive']);
      expect(answer?.headers.has('upgrade')).toBe(false);
    }
    const values = ingest.records().map(({ value }) => Buffer.from(value).toString());
    expect(values).toEqual([...bodies, ...bodies, ...bodies]);
  });

  test('leaves no secret in its event, and no Content-Type where it sent none', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    await client.send(recorded(path, '{}', [bearer]));
    expect((await client.answer())?.status).toBe(200);
    const [record] = ingest.records();
    expect(JSON.stringify(record?.headers)).not.toContain(testSecret);
    expect(record === undefined ? '' : headerOf(record, 'content-type')).toBeUndefined();
  });

  test('A27: a batch of 500 records, with empty ones and with blanks, becomes the records that are not empty', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    const records = Array.from({ length: 500 }, (_, at) => (at % 100 === 7 ? '' : `{"n": ${at}} `));
    await client.send(recorded(`${path}?batch=lines`, `${records.join('\n')}\n`, [bearer]));
    expect((await client.answer())?.status).toBe(200);
    const values = ingest.records().map(({ value }) => Buffer.from(value).toString());
    expect(values).toEqual(records.filter((record) => record !== ''));
  });
});

describe("the retries of Aiven's connector", () => {
  test('D1, D3: 503 of a source without room is answered on a kept connection, and the record stored once', async () => {
    const refusal = { error: 'storageFull', message: 'The storage for events is full.', retryAfterSeconds: 10 };
    await using ingest = await startIngest([testSource({ refusal })]);
    using client = await ingest.connect();
    const statuses: (number | string | undefined)[] = [];
    await sendAsConnector(client, recorded(path, '{"n":1}', [bearer]), ({ status, headers }) => {
      statuses.push(status, headers.get('retry-after'));
      if (statuses.length === 4) ingest.setSources([testSource()]);
    });
    expect(statuses).toEqual([503, '10', 503, '10', 200, undefined]);
    expect(ingest.records()).toHaveLength(1);
  });

  test('413 is answered each time, whole and on a kept connection; a smaller body is taken after it', async () => {
    await using ingest = await startIngest([testSource()], { maxBodyBytes: 1024 });
    using client = await ingest.connect();
    for (let sent = 0; sent < 3; sent++) {
      await client.send(recorded(path, 'x'.repeat(1500), [bearer]));
      const answer = await client.answer();
      expect([answer?.status, answer?.headers.get('connection')]).toEqual([413, 'keep-alive']);
      expect(answer?.body).toContain('Request body size is over the maximum');
    }
    await client.send(recorded(path, 'x'.repeat(1024), [bearer]));
    expect((await client.answer())?.status).toBe(200);
    expect(ingest.records()).toHaveLength(1);
  });

  test('400 of an array that is none stores nothing of it, however often it is sent', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    for (let sent = 0; sent < 3; sent++) {
      await client.send(recorded(`${path}?batch=array`, '[{"a":1},a text]', [bearer]));
      expect((await client.answer())?.status).toBe(400);
    }
    expect(ingest.records()).toHaveLength(0);
  });

  test('D10: a request in the drain gets an answer or the end of its connection, and none is stored unanswered', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    await client.send(recorded(path, '{"n":1}', [bearer]));
    expect((await client.answer())?.status).toBe(200);
    const drained = ingest.service.drain();
    await client.send(recorded(path, '{"n":2}', [bearer]));
    const answer = await client.answer();
    expect([undefined, 503]).toContain(answer?.status);
    await drained;
    await until(() => ingest.service.load().requests === 0);
    expect(ingest.records()).toHaveLength(1);
  });
});
