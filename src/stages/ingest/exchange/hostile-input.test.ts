import { setImmediate as nextImmediate, setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { limits } from '../../../core/limits.ts';
import { RawClient } from '../../../../test/support/raw-client.ts';
import {
  headerOf,
  startIngest,
  testSource,
  until,
  type IngestHarness,
} from '../../../../test/support/ingest-harness.ts';

function head(path: string, ...lines: readonly string[]): string {
  return `${[`POST ${path} HTTP/1.1`, 'Host: h', ...lines].join('\r\n')}\r\n\r\n`;
}

/** Shows that the service is well: it still takes an event, holds nothing, and met no defect of its own. */
async function expectWell(ingest: IngestHarness): Promise<void> {
  expect((await fetch(ingest.url + ingest.path, { method: 'POST', body: 'well' })).status).toBe(200);
  await until(() => ingest.service.load().requests === 0);
  expect(ingest.service.load().bytes).toBe(0);
  expect(ingest.told.filter((line) => line.startsWith('failed'))).toEqual([]);
}

async function errorOf(client: RawClient): Promise<readonly [number | undefined, string | undefined]> {
  const answer = await client.answer();
  return [answer?.status, /"error":"([^"]*)"/.exec(answer?.body ?? '')?.[1]];
}

describe('D8: a body', () => {
  test('over the limit is refused by its declared length, before it is sent', async () => {
    await using ingest = await startIngest([testSource()], { maxBodyBytes: 1024 });
    using client = await ingest.connect();
    await client.send(head(ingest.path, 'Content-Length: 1025'));
    const answer = await client.answer();
    expect(answer?.status).toBe(413);
    expect(JSON.parse(answer?.body ?? '')).toEqual({
      statusCode: 413,
      error: 'stream.in.bodyTooLarge',
      message: 'Request body size is over the maximum "1KB".',
    });
    await client.send('x'.repeat(1025));
    await client.send(head(ingest.path, 'Content-Length: 1024') + 'x'.repeat(1024));
    expect((await client.answer())?.status).toBe(200);
    await expectWell(ingest);
  });

  test('over the limit in chunks is refused while it is read, and the connection cut when it goes on', async () => {
    await using ingest = await startIngest([testSource()], { maxBodyBytes: 1024 });
    using client = await ingest.connect();
    const chunk = `400\r\n${'x'.repeat(1024)}\r\n`;
    await client.send(head(ingest.path, 'Transfer-Encoding: chunked') + chunk + chunk);
    expect(await errorOf(client)).toEqual([413, 'stream.in.bodyTooLarge']);
    for (let sent = 0; sent < 8; sent++) await client.send(chunk);
    await client.closed();
    expect(ingest.records()).toHaveLength(0);
    await expectWell(ingest);
  });

  test('of any size that nobody wants is cut', async () => {
    await using ingest = await startIngest([testSource()], { maxBodyBytes: 1024 });
    for (const path of ['/nothing', '/health-check', '/stream/1/orders/wrong']) {
      using client = await ingest.connect();
      await client.send(head(path, 'Content-Length: 99999999999'));
      expect((await client.answer())?.status).toBeGreaterThanOrEqual(404);
      for (let sent = 0; sent < 4; sent++) await client.send('x'.repeat(1024));
      await client.closed();
    }
    await expectWell(ingest);
  });

  test('in a thousand one-byte chunks arrives whole', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    await client.send(head(ingest.path, 'Transfer-Encoding: chunked'));
    for (let sent = 0; sent < 10; sent++) await client.send('1\r\nx\r\n'.repeat(100));
    await client.send('0\r\nTrailer: t\r\n\r\n');
    expect((await client.answer())?.status).toBe(200);
    expect(ingest.records()[0]!.value).toHaveLength(1000);
  });

  test('that is half sent is never stored', async () => {
    await using ingest = await startIngest();
    const start = head(ingest.path, 'Content-Length: 10') + 'half';
    for (const leave of [(client: RawClient) => client.reset(), (client: RawClient) => client.endSending()]) {
      using client = await ingest.connect();
      await client.send(start);
      await until(() => ingest.service.load().requests === 1);
      leave(client);
      await client.closed();
      await until(() => ingest.service.load().requests === 0);
    }
    expect(ingest.records()).toEqual([]);
    expect(ingest.told).toEqual(['cut clientClosed', 'refused 400 stream.in.badRequest']);
    await expectWell(ingest);
  });

  test('that comes too slowly gets 408', async () => {
    const slow = { requestTimeoutMs: 80, headersTimeoutMs: 40 };
    await using ingest = await startIngest([testSource()], slow);
    using client = await ingest.connect();
    await client.send(head(ingest.path, 'Content-Length: 10') + 'half');
    expect(await errorOf(client)).toEqual([408, 'stream.in.requestTimeout']);
    await client.closed();
    expect(ingest.records()).toEqual([]);
  });

  test('of which the end comes when its sender has heard 408 is not stored', async () => {
    await using ingest = await startIngest([testSource()], { headersTimeoutMs: 40 });
    using client = await ingest.connect();
    const event = `${head(ingest.path, 'Content-Length: 1')}a`;
    await client.send(event.slice(0, 20));
    expect(await errorOf(client)).toEqual([408, 'stream.in.requestTimeout']);
    await client.send(event.slice(20));
    await expectWell(ingest);
    ingest.clock.wakeAll();
    await client.closed();
    expect(ingest.records().map(({ value }) => String(value))).toEqual(['well']);
  });

  test('waits for 100 Continue, and is refused without it', async () => {
    await using ingest = await startIngest([testSource()], { maxBodyBytes: 1024 });
    using client = await ingest.connect();
    await client.send(head(ingest.path, 'Content-Length: 5', 'Expect: 100-continue'));
    expect((await client.answer())?.status).toBe(100);
    await client.send('hello');
    expect((await client.answer())?.status).toBe(200);
    for (const [path, length, status] of [
      [ingest.path, 2000, 413],
      ['/stream/1/orders/wrong', 5, 404],
    ] as const) {
      using refused = await ingest.connect();
      await refused.send(head(path, `Content-Length: ${length}`, 'Expect: 100-continue'));
      expect((await refused.answer())?.status).toBe(status);
      await refused.closed();
    }
    using unknown = await ingest.connect();
    await unknown.send(head(ingest.path, 'Content-Length: 5', 'Expect: miracles'));
    expect(await errorOf(unknown)).toEqual([417, 'stream.in.expectationFailed']);
    await unknown.closed();
  });
});

describe('D8: memory', () => {
  test('past the limit of buffered bytes requests get 429 with Retry-After, by length or while they arrive', async () => {
    await using ingest = await startIngest([testSource()], { maxBufferedBytes: 10_000 });
    ingest.log.hold();
    const first = fetch(ingest.url + ingest.path, { method: 'POST', body: 'x'.repeat(5000) });
    await until(() => ingest.records().length === 1);
    using declared = await ingest.connect();
    await declared.send(head(ingest.path, 'Content-Length: 3000'));
    const answer = await declared.answer();
    expect([answer?.status, answer?.headers.get('retry-after')]).toEqual([429, '1']);
    expect(JSON.parse(answer?.body ?? '')).toMatchObject({ error: 'stream.in.tooManyRequests' });
    using chunked = await ingest.connect();
    await chunked.send(`${head(ingest.path, 'Transfer-Encoding: chunked')}bb8\r\n${'x'.repeat(3000)}\r\n`);
    expect(await errorOf(chunked)).toEqual([429, 'stream.in.tooManyRequests']);
    ingest.log.release();
    expect((await first).status).toBe(200);
    expect(ingest.records()).toHaveLength(1);
    await expectWell(ingest);
  });

  test('with sync.wait false what the log has not yet counts, too', async () => {
    await using ingest = await startIngest([testSource({ syncWait: false })], { maxBufferedBytes: 16_000 });
    ingest.log.hold();
    const statuses: number[] = [];
    for (let sent = 0; sent < 4; sent++) {
      statuses.push((await fetch(ingest.url + ingest.path, { method: 'POST', body: 'x'.repeat(2000) })).status);
    }
    expect(statuses).toEqual([202, 202, 429, 429]);
    ingest.log.release();
    await until(() => ingest.service.load().bytes === 0);
    expect(ingest.records()).toHaveLength(2);
  });

  test('a client that leaves while its event is stored leaves nothing behind', async () => {
    await using ingest = await startIngest();
    ingest.log.hold();
    using client = await ingest.connect();
    await client.send(head(ingest.path, 'Content-Length: 2') + 'hi');
    await until(() => ingest.records().length === 1);
    client.reset();
    await client.closed();
    ingest.log.release();
    await expectWell(ingest);
  });
});

describe('D9: headers', () => {
  test('over the limit get 413 with a sentence', async () => {
    await using ingest = await startIngest();
    for (const lines of [
      [`X-Big: ${'x'.repeat(20_000)}`],
      Array.from({ length: 10_000 }, (_, index) => `X-${index}: 1`),
    ]) {
      using client = await ingest.connect();
      await client.send(head(ingest.path, ...lines));
      const answer = await client.answer();
      expect(answer?.status).toBe(413);
      expect(JSON.parse(answer?.body ?? '')).toEqual({
        statusCode: 413,
        error: 'stream.in.headerTooLarge',
        message: 'Request header size is over the maximum "16KB".',
      });
      client.endSending();
      ingest.clock.wakeAll();
      await client.closed();
    }
    await expectWell(ingest);
  });

  test('are all kept up to their number; with one more the request is refused', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    const lines = Array.from({ length: limits.headersPerRequest - 3 }, () => 'a:');
    await client.send(head(ingest.path, ...lines, 'Last: one', 'Content-Length: 2') + 'hi');
    expect((await client.answer())?.status).toBe(200);
    expect(headerOf(ingest.records()[0]!, 'last')).toBe('one');
    expect(ingest.records()[0]!.headers.filter((text) => text === 'a')).toHaveLength(lines.length);
    await client.send(head(ingest.path, ...lines, 'a:', 'Last: one', 'Content-Length: 2') + 'hi');
    expect(await errorOf(client)).toEqual([413, 'stream.in.tooManyHeaders']);
    await expectWell(ingest);
  });

  test.each([
    ['two different lengths', 'POST PATH HTTP/1.1\r\nHost: h\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab'],
    ['a length that is no number', 'POST PATH HTTP/1.1\r\nHost: h\r\nContent-Length: two\r\n\r\nab'],
    ['a negative length', 'POST PATH HTTP/1.1\r\nHost: h\r\nContent-Length: -1\r\n\r\nab'],
    [
      'length and chunks',
      'POST PATH HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a header name with a blank', 'POST PATH HTTP/1.1\r\nHost: h\r\nBad Header: 1\r\n\r\n'],
    ['a chunk size that is no number', 'POST PATH HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n'],
    ['a second Host', 'POST PATH HTTP/1.1\r\nHost: h\r\nhost: i\r\nContent-Length: 2\r\n\r\nhi'],
    ['a line of HTTP/0.9', 'POST PATH\r\n\r\n'],
    ['an unknown method', 'FETCH PATH HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['an unknown version', 'POST PATH HTTP/9.9\r\nHost: h\r\n\r\n'],
    ['a blank in the path', 'POST PATH with blanks HTTP/1.1\r\nHost: h\r\n\r\n'],
    ['a greeting of HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a greeting of TLS', '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003'],
    [
      'random bytes',
      Buffer.from(Array.from({ length: 4000 }, (_, index) => (index * 7919 + 13) % 251)).toString('latin1'),
    ],
  ])('D9: %s gets 400 and the end of the connection', async (_title, request) => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    await client.send(request.replace('PATH', ingest.path));
    expect(await errorOf(client)).toEqual([400, 'stream.in.badRequest']);
    client.endSending();
    ingest.clock.wakeAll();
    await client.closed();
    expect(ingest.records()).toEqual([]);
    await expectWell(ingest);
  });

  test('without Host are refused, except in HTTP/1.0', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    await client.send(`POST ${ingest.path} HTTP/1.1\r\nContent-Length: 2\r\n\r\nhi`);
    const answer = await client.answer();
    expect(answer?.status).toBe(400);
    expect(answer?.body).toContain('the header \\"Host\\" is missing');
    using old = await ingest.connect();
    await old.send(`POST ${ingest.path} HTTP/1.0\r\nContent-Length: 2\r\n\r\nhi`);
    expect((await old.answer())?.status).toBe(200);
    await old.closed();
  });

  test('that come too slowly, or not at all, are cut', async () => {
    const slow = { requestTimeoutMs: 80, headersTimeoutMs: 40 };
    await using ingest = await startIngest([testSource()], slow);
    using slowly = await ingest.connect();
    await slowly.send('POST / HTTP/1.1\r\nHost:');
    expect(await errorOf(slowly)).toEqual([408, 'stream.in.requestTimeout']);
    using silent = await ingest.connect();
    ingest.clock.wakeAll();
    await slowly.closed();
    expect((await silent.answer())?.status).toBe(408);
  });

  test('CONNECT opens no tunnel', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    await client.send('CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n');
    expect(await errorOf(client)).toEqual([404, 'stream.in.routeNotFound']);
    await client.closed();
    await expectWell(ingest);
  });

  test('CONNECT gets no answer that would be taken for that of a request before it', async () => {
    await using ingest = await startIngest();
    ingest.log.hold();
    using client = await ingest.connect();
    const event = `${head(ingest.path, 'Content-Length: 1')}a`;
    await client.send(`${event}${event}CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n`);
    await until(() => ingest.told.includes('cut protocol'));
    ingest.log.release();
    expect((await client.answer())?.status).toBe(200);
    expect((await client.answer())?.status).toBe(200);
    expect(await client.answer()).toBeUndefined();
    await expectWell(ingest);
  });
});

describe('a connection', () => {
  test('may send the next request before the answer; answers come in order', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    const one = head(ingest.path, 'Content-Length: 1');
    await client.send(`${one}a${head('/nothing', 'Content-Length: 1')}b${one}c`);
    const statuses = [await client.answer(), await client.answer(), await client.answer()].map(
      (answer) => answer?.status,
    );
    expect(statuses).toEqual([200, 404, 200]);
    expect(ingest.records().map(({ value }) => Buffer.from(value).toString())).toEqual(['a', 'c']);
  });

  test('with more body than declared gets the first answer, then its end', async () => {
    await using ingest = await startIngest();
    ingest.log.hold();
    using client = await ingest.connect();
    await client.send(`${head(ingest.path, 'Content-Length: 2')}hi and more\r\n\r\n`);
    await until(() => ingest.told.includes('cut protocol'));
    ingest.log.release();
    expect((await client.answer())?.status).toBe(200);
    await client.closed();
    expect(await client.answer()).toBe(undefined);
    expect(Buffer.from(ingest.records()[0]!.value).toString()).toBe('hi');
    await expectWell(ingest);
  });

  test('that is no HTTP/1.1 after its answer gets no second one', async () => {
    await using ingest = await startIngest();
    for (const path of [ingest.path, '/nothing']) {
      using client = await ingest.connect();
      await client.send(`${head(path, 'Transfer-Encoding: identity')}{}`);
      expect((await client.answer())?.status).toBe(501);
      await client.closed();
      expect(await client.answer()).toBe(undefined);
    }
    await expectWell(ingest);
  });

  test('that ends its own side after the request still gets the answer', async () => {
    await using ingest = await startIngest();
    ingest.log.hold();
    using client = await ingest.connect();
    await client.send(head(ingest.path, 'Content-Length: 2') + 'hi');
    client.endSending();
    await until(() => ingest.records().length === 1);
    ingest.log.release();
    expect((await client.answer())?.status).toBe(200);
  });

  test('past the limit is cut', async () => {
    await using ingest = await startIngest([testSource()], { maxConnections: 1 });
    using first = await ingest.connect();
    await first.send(head(ingest.path, 'Content-Length: 1') + 'a');
    expect((await first.answer())?.status).toBe(200);
    using second = await RawClient.connect(ingest.port);
    await second.closed();
    expect(ingest.told.slice(-2)).toEqual(['cut connectionLimit', 'crowded connectionLimit 1']);
    using third = await RawClient.connect(ingest.port);
    await third.closed();
    expect(ingest.told.slice(-2)).toEqual(['crowded connectionLimit 1', 'cut connectionLimit']);
  });

  test('D8: of an address that has as many as it may is cut, and taken once another one has ended', async () => {
    await using ingest = await startIngest([testSource()], { maxConnectionsPerAddress: 1 });
    using first = await ingest.connect();
    await first.send(head(ingest.path, 'Content-Length: 1') + 'a');
    expect((await first.answer())?.status).toBe(200);
    using second = await RawClient.connect(ingest.port);
    await second.closed();
    expect(ingest.told.slice(-2)).toEqual(['cut addressLimit', 'crowded addressLimit 1']);
    first.reset();
    await first.closed();
    await expectWell(ingest);
  });

  test('D8: of a trusted proxy is one of as many as there are', async () => {
    const proxied = { maxConnectionsPerAddress: 1, trustedProxies: ['127.0.0.0/8'] };
    await using ingest = await startIngest([testSource()], proxied);
    for (const client of [await ingest.connect(), await ingest.connect()]) {
      await client.send(head(ingest.path, 'Content-Length: 1') + 'a');
      expect((await client.answer())?.status).toBe(200);
      client.reset();
    }
  });

  test('D8: that sends nothing is cut soon; one that has begun has the time of a request', async () => {
    await using ingest = await startIngest([testSource()], { firstByteTimeoutMs: 1000 });
    using begun = await ingest.connect();
    await begun.send(head(ingest.path, 'Content-Length: 2') + 'h');
    using silent = await ingest.connect();
    await silent.closed();
    expect(ingest.told).toContain('cut firstByte');
    await begun.send('i');
    expect((await begun.answer())?.status).toBe(200);
  });

  test.each([
    ['its first byte', { firstByteTimeoutMs: 1500 }, []],
    ['its next request', { idleTimeoutMs: 500 }, [200]],
  ])('that has sent %s in time is not cut by a thread that was held up', async (_what, limits, answered) => {
    await using ingest = await startIngest([testSource()], limits);
    using client = await ingest.connect();
    const event = head(ingest.path, 'Content-Length: 1') + 'a';
    const earlier: unknown[] = [];
    while (earlier.length < answered.length) {
      await client.send(event);
      earlier.push((await client.answer())?.status);
    }
    expect(earlier).toEqual(answered);
    // The server has the connection, and its time runs; what is held up here ends before timers, not before what is read.
    await sleep(50);
    await nextImmediate();
    const sent = client.send(event);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
    await sent;
    expect((await client.answer())?.status).toBe(200);
    expect(ingest.told).not.toContain('cut firstByte');
  });

  test('D8: that is kept is cut when it was idle for as long as others may be silent at first', async () => {
    // Node gives whoever keeps a connection a second more than it says.
    await using ingest = await startIngest([testSource()], { firstByteTimeoutMs: 1500, idleTimeoutMs: 500 });
    using client = await ingest.connect();
    await client.send(head(ingest.path, 'Content-Length: 1') + 'a');
    expect((await client.answer())?.status).toBe(200);
    const isCut = client.closed().then(() => true);
    expect(await Promise.race([isCut, sleep(30_000, false)])).toBe(true);
    expect(ingest.told).not.toContain('cut firstByte');
  });

  test('may ask for absurd or absolute URLs', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    const targets = [
      [`/${'a/'.repeat(4000)}`, 404],
      [`http://elsewhere.example${ingest.path}`, 200],
      [`//stream/1/orders/x`, 404],
      [`${ingest.path}?${'verbose=true&'.repeat(500)}`, 200],
      [`${ingest.path}?%zz=%&batch`, 400],
      [`${ingest.path}#fragment`, 404],
      [`/stream/1/orders/%00`, 404],
      [`/stream/1/__proto__/constructor`, 404],
      [`/stream/999999999999999999999/orders/x`, 400],
      [`/stream/1/%C3%28/x`, 400],
    ] as const;
    for (const [target, status] of targets) {
      await client.send(head(target, 'Content-Length: 1') + 'a');
      expect([target.slice(0, 60), (await client.answer())?.status]).toEqual([target.slice(0, 60), status]);
    }
    await expectWell(ingest);
  });
});
