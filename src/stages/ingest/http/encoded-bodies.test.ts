import { describe, expect, test } from 'vitest';
import { encoded, encoderNames, encoders, type Encoder } from '../../../../test/support/encoded.ts';
import {
  headerOf,
  startIngest,
  testSource,
  until,
  type IngestHarness,
} from '../../../../test/support/ingest-harness.ts';
import type { RawClient } from '../../../../test/support/raw-client.ts';

const event = '{"a":"ü"}';

interface Sent {
  readonly body: Buffer;
  readonly encoding: string;
  readonly query?: string;
  readonly type?: string;
}

async function send(ingest: IngestHarness, { body, encoding, query = '', type = 'application/json' }: Sent) {
  return fetch(`${ingest.url}${ingest.path}${query}`, {
    method: 'POST',
    body: new Uint8Array(body),
    headers: { 'content-type': type, 'content-encoding': encoding },
  });
}

function bodies(ingest: IngestHarness): readonly string[] {
  return ingest.records().map(({ value }) => Buffer.from(value).toString());
}

describe('A45: a body that is compressed', () => {
  test.each([...encoderNames.map((name) => [name]), ['gzip', 'br'], ['zstd', 'deflate', 'gzip']] as Encoder[][])(
    'by %s%s%s is stored as it was before, with the headers that it would have had',
    async (...names) => {
      await using ingest = await startIngest();
      const body = encoded(Buffer.from(event), names);
      expect((await send(ingest, { body, encoding: names.join(', ') })).status).toBe(200);
      expect(bodies(ingest)).toEqual([event]);
      const [record] = ingest.records();
      expect(headerOf(record!, 'content-encoding')).toBeUndefined();
      expect(headerOf(record!, 'content-length')).toBe(String(Buffer.byteLength(event)));
      expect(ingest.told).toEqual([`stored orders 1 ${Buffer.byteLength(event)}`]);
      expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
    },
  );

  test('is stored as it came when identity is all that was done to it', async () => {
    await using ingest = await startIngest();
    expect((await send(ingest, { body: Buffer.from(event), encoding: 'identity' })).status).toBe(200);
    expect(bodies(ingest)).toEqual([event]);
    expect(headerOf(ingest.records()[0]!, 'content-encoding')).toBe('identity');
  });

  test('may arrive in any pieces', async () => {
    await using ingest = await startIngest();
    const body = encoders.gzip(Buffer.from(event));
    using client = await ingest.connect();
    await client.send(
      `POST ${ingest.path} HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n`,
    );
    for (const byte of body) await client.send(Buffer.from([0x31, 0x0d, 0x0a, byte, 0x0d, 0x0a]));
    await client.send('0\r\n\r\n');
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(bodies(ingest)).toEqual([event]);
    expect(headerOf(ingest.records()[0]!, 'transfer-encoding')).toBe('chunked');
  });

  test('is a batch of what is in it', async () => {
    await using ingest = await startIngest();
    const lines = encoders.zstd(Buffer.from('{"a":1}\n{"a":2}\n'));
    await send(ingest, { body: lines, encoding: 'zstd', type: 'application/x-ndjson' });
    await send(ingest, { body: encoders.br(Buffer.from('[1, 2]')), encoding: 'br', query: '?batch=array' });
    expect(bodies(ingest)).toEqual(['{"a":1}', '{"a":2}', '1', '2']);
  });

  test('in a way that is not known gets 415, and is told what is', async () => {
    await using ingest = await startIngest();
    const answer = await send(ingest, { body: Buffer.from('x'), encoding: 'compress' });
    expect(answer.status).toBe(415);
    expect(answer.headers.get('accept-encoding')).toBe('gzip, deflate, br, zstd');
    expect(await answer.json()).toEqual({
      statusCode: 415,
      error: 'stream.in.unsupportedMediaType',
      message:
        'Invalid header "Content-Encoding" value "compress": must be one of "gzip", "deflate", "br", "zstd", or a list of them.',
    });
    expect([ingest.records(), ingest.told]).toEqual([[], ['refused 415 stream.in.unsupportedMediaType']]);
  });

  test.each([
    ['cut', encoders.gzip(Buffer.from(event)).subarray(0, 15), 'it ends too early'],
    ['empty', Buffer.alloc(0), 'it ends too early'],
    ['not what its header says', Buffer.from(event), 'it is broken (incorrect header check)'],
    ['followed by more', Buffer.concat([encoders.gzip(Buffer.from(event)), Buffer.alloc(2)]), '2 bytes follow its end'],
  ])('and is %s gets 400, and nothing of it is stored', async (_, body, why) => {
    await using ingest = await startIngest();
    const answer = await send(ingest, { body, encoding: 'gzip' });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({
      statusCode: 400,
      error: 'stream.in.badRequest',
      message: `The body cannot be decoded as "gzip", as its Content-Encoding says: ${why}. Nothing was stored.`,
    });
    expect(ingest.records()).toEqual([]);
    expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
  });

  test.each(encoderNames)('D8: by %s to less than it may have, from more, gets 413', async (encoding) => {
    await using ingest = await startIngest([testSource()], { maxBodyBytes: 64 * 1024 });
    const answer = await send(ingest, { body: encoders[encoding](Buffer.alloc(5 * 1024 * 1024)), encoding });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({
      error: 'stream.in.bodyTooLarge',
      message: 'Request body size is over the maximum "64KB" after decoding. Nothing was stored.',
    });
    expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
  });

  test('D8: from more than there is memory for at all gets 413, and takes none of it', async () => {
    await using ingest = await startIngest([testSource()], { maxBufferedBytes: 100_000 });
    const answer = await send(ingest, { body: encoders.gzip(Buffer.alloc(200_000)), encoding: 'gzip' });
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([413, null]);
    expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
  });

  test('D8: that nobody waits for any more holds nothing', async () => {
    await using ingest = await startIngest();
    const body = encoders.gzip(Buffer.alloc(1024 * 1024));
    const head = `POST ${ingest.path} HTTP/1.1\r\nHost: a\r\nContent-Encoding: gzip\r\nContent-Length: ${body.length}\r\n\r\n`;
    const clients: RawClient[] = [];
    for (let at = 0; at < 20; at += 1) {
      const client = await ingest.connect();
      await client.send(Buffer.concat([Buffer.from(head), body]));
      if (at % 2 === 0) client.reset();
      clients.push(client);
    }
    await until(() => ingest.service.load().requests > 0 || ingest.records().length > 0);
    await until(() => ingest.service.load().requests === 0);
    expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
    for (const client of clients) client[Symbol.dispose]();
  });
});
