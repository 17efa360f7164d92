import { describe, expect, test } from 'vitest';
import type { BranchId, SourceId } from '../../../core/ids.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { turnBytes } from '../accept/placement.ts';
import { headerOf, startIngest, testSecret, testSource, until } from '../../../../test/support/ingest-harness.ts';

const json = { 'content-type': 'application/json' };

function post(url: string, body: string, headers: Record<string, string> = json): Promise<Response> {
  return fetch(url, { method: 'POST', body, headers });
}

async function problemOf(answer: Response): Promise<{ statusCode: number; error: string; message: string }> {
  return (await answer.json()) as { statusCode: number; error: string; message: string };
}

describe('an event', () => {
  test('is stored as its bytes, its headers and its arrival, and answered with OK', async () => {
    await using ingest = await startIngest();
    const answer = await post(ingest.url + ingest.path, '{"a": 1.50}', { ...json, 'X-Shop': 'a' });
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe('OK');
    expect(answer.headers.get('server')).toBe('Millrace');
    expect(answer.headers.get('date')).toBe(null);
    const [record] = ingest.records();
    expect(Buffer.from(record!.value).toString()).toBe('{"a": 1.50}');
    expect(record!.timestamp).toBe(ingest.clock.now());
    const [idName, id, ...remote] = record!.headers.slice(0, 4);
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect([idName, ...remote]).toEqual(['millrace-id', 'millrace-remote', '127.0.0.1']);
    expect(headerOf(record!, 'x-shop')).toBe('a');
    expect(headerOf(record!, 'millrace-format')).toBe(undefined);
    expect(ingest.told).toEqual(['stored orders 1 11']);
  });

  test('keeps the spelling, order and repetition of its headers, without reserved ones', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    const head = 'X-A: 1\r\nx-b: 2\r\nX-A: 3\r\nMillrace-Id: forged\r\nmillrace-x: y\r\nMoney: 1\r\n';
    await client.send(`POST ${ingest.path} HTTP/1.1\r\nHost: h\r\n${head}Content-Length: 2\r\n\r\nhi`);
    expect((await client.answer())?.status).toBe(200);
    expect(ingest.records()[0]!.headers.slice(6)).toEqual(
      'Host h X-A 1 x-b 2 X-A 3 Money 1 Content-Length 2'.split(' '),
    );
  });

  test('of an empty body is an event', async () => {
    await using ingest = await startIngest();
    expect((await post(ingest.url + ingest.path, '')).status).toBe(200);
    expect(ingest.records()[0]!.value).toHaveLength(0);
  });

  test('goes to the partitions of its source in turn', async () => {
    await using ingest = await startIngest([testSource({ partitions: 3 })]);
    const turn = 'x'.repeat(turnBytes);
    for (const body of ['a', turn, 'b', 'c', turn, turn, 'd']) await post(ingest.url + ingest.path, body);
    const bodies = [0, 1, 2].map((partition) =>
      ingest.records('source.1.orders', partition).map(({ value }) => Buffer.from(value).toString()),
    );
    expect(bodies).toEqual([['a', turn, 'd'], ['b', 'c', turn], [turn]]);
  });

  test('A37: without Content-Type has the default content type of its source, or none', async () => {
    const send = async (defaultContentType: string, contentType: 'auto' | 'header' = 'header') => {
      await using ingest = await startIngest([testSource({ contentType, defaultContentType })]);
      using client = await ingest.connect();
      await client.send(`POST ${ingest.path} HTTP/1.1\r\nHost: h\r\nContent-Length: 2\r\n\r\n{}`);
      await client.answer();
      return headerOf(ingest.records()[0]!, 'millrace-format');
    };
    expect(await send('')).toBe('none');
    expect(await send('application/vnd.api+json; charset=utf-8')).toBe('json');
    expect(await send('application/x-www-form-urlencoded')).toBe('form');
    expect(await send('application/x-www-form-urlencoded', 'auto')).toBe('json');
    expect(await send('text/csv')).toBe('none');
  });

  test('A4: has the address that a trusted proxy names, and only then', async () => {
    const headers = { ...json, 'x-forwarded-for': '203.0.113.9, 198.51.100.7' };
    await using trusting = await startIngest([testSource()], { trustedProxies: ['127.0.0.0/8'] });
    await post(trusting.url + trusting.path, '{}', headers);
    expect(headerOf(trusting.records()[0]!, 'millrace-remote')).toBe('198.51.100.7');
    await using plain = await startIngest();
    await post(plain.url + plain.path, '{}', headers);
    expect(headerOf(plain.records()[0]!, 'millrace-remote')).toBe('127.0.0.1');
  });

  test('with an offer of h2c is taken as HTTP/1.1, as Kafka Connect sends it', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    const offer =
      'Connection: Upgrade, HTTP2-Settings\r\nHTTP2-Settings: AAEAAEAAAAIAAAAAAAMAAAAAAAQBAAAAAAUAAEAAAAYABgAA';
    const request = `POST ${ingest.path} HTTP/1.1\r\n${offer}\r\nContent-Length: 7\r\nHost: h\r\nUpgrade: h2c\r\n\r\n{"a":1}`;
    await client.send(request);
    expect((await client.answer())?.status).toBe(200);
    await client.send(request);
    expect((await client.answer())?.status).toBe(200);
    expect(ingest.records()).toHaveLength(2);
  });
});

describe('D1: honest ack', () => {
  test('D1: with sync.wait the answer is 200 and comes after the log', async () => {
    await using ingest = await startIngest();
    ingest.log.hold();
    let answered = false;
    const answer = post(ingest.url + ingest.path, 'x').finally(() => {
      answered = true;
    });
    await until(() => ingest.records().length === 1);
    // The answer to another request, asked later, shows that there was time for this one.
    await fetch(`${ingest.url}/health-check`);
    expect(answered).toBe(false);
    ingest.log.release();
    expect((await answer).status).toBe(200);
  });

  test('D1: without sync.wait the answer is 202 and does not wait for the log', async () => {
    await using ingest = await startIngest([testSource({ syncWait: false })]);
    ingest.log.hold();
    const answer = await post(ingest.url + ingest.path, 'x');
    expect(answer.status).toBe(202);
    expect(await answer.text()).toBe('OK');
    expect(ingest.service.load().requests).toBe(1);
    ingest.log.release();
    await until(() => ingest.told.includes('stored orders 1 1'));
    expect(ingest.service.load()).toEqual({ bytes: 0, requests: 0 });
  });

  test.each([
    ['log.full', 503, 'stream.in.storageFull', '10'],
    ['log.unavailable', 503, 'stream.in.logUnavailable', '1'],
    ['log.recordTooLarge', 413, 'stream.in.payloadTooLarge', null],
  ] as const)('D1: %s is never a 2xx', async (...row) => {
    const [code, status, error, retryAfter] = row;
    await using ingest = await startIngest();
    ingest.log.refuseWith(new MillraceError(code, 'test'));
    for (const query of ['', '?verbose=true']) {
      const answer = await post(ingest.url + ingest.path + query, 'x');
      expect(answer.status).toBe(status);
      expect(answer.headers.get('retry-after')).toBe(retryAfter);
      expect(await answer.text()).toContain(error);
    }
    expect(ingest.told.filter((line) => line === `appendFailed orders ${code} 0`)).toHaveLength(2);
    ingest.log.refuseWith(undefined);
    expect((await post(ingest.url + ingest.path, 'x')).status).toBe(200);
  });

  test('D1: an event that was answered with 202 and then refused by the log is counted as lost', async () => {
    await using ingest = await startIngest([testSource({ syncWait: false })]);
    ingest.log.refuseWith(new MillraceError('log.full', 'test'));
    expect((await post(ingest.url + ingest.path, 'x')).status).toBe(202);
    await until(() => ingest.told.includes('appendFailed orders log.full 1'));
  });
});

describe('a source', () => {
  const other = (changes: object): ReturnType<typeof testSource> =>
    testSource({
      key: { branchId: 2 as BranchId, sourceId: 'orders' as SourceId },
      topic: 'source.2.orders',
      ...changes,
    });

  test('A29: takes its secret as a bearer token and removes only that header', async () => {
    await using ingest = await startIngest();
    const url = `${ingest.url}/stream/1/orders`;
    expect((await post(url, 'a', { authorization: `bearer ${testSecret}` })).status).toBe(200);
    expect((await post(url, 'a', { authorization: `Bearer ${testSecret}` })).status).toBe(200);
    expect((await post(ingest.url + ingest.path, 'b', { authorization: 'Basic YTpi' })).status).toBe(200);
    expect(ingest.records().map((record) => headerOf(record, 'authorization'))).toEqual([
      undefined,
      undefined,
      'Basic YTpi',
    ]);
    expect(JSON.stringify(ingest.records())).not.toContain(testSecret);
  });

  test('A29: keeps a secret out of its events when path and header, or two headers, carry it', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    const bearer = `Authorization: Bearer ${testSecret}`;
    for (const path of [ingest.path, '/stream/1/orders']) {
      const head = [
        `POST ${path} HTTP/1.1`,
        'Host: h',
        bearer,
        bearer.replace('Bearer ', 'bearer   '),
        'Content-Length: 0',
      ];
      await client.send(`${head.join('\r\n')}\r\n\r\n`);
      expect((await client.answer())?.status).toBe(200);
    }
    expect((await post(ingest.url + ingest.path, 'b', { authorization: 'Bearer of another' })).status).toBe(200);
    expect((await post(ingest.url + ingest.path, 'b', { authorization: 'Bearer another' })).status).toBe(200);
    expect(JSON.stringify(ingest.records())).not.toContain(testSecret);
    expect(headerOf(ingest.records()[2]!, 'authorization')).toBe('Bearer of another');
    expect(headerOf(ingest.records()[3]!, 'authorization')).toBe('Bearer another');
  });

  test('keeps header values that are UTF-8 as the text they are, others as Latin-1', async () => {
    await using ingest = await startIngest();
    using client = await ingest.connect();
    const head = Buffer.from(`POST ${ingest.path} HTTP/1.1\r\nHost: h\r\nX-Text: žluťoučký 😀\r\nX-Old: `);
    await client.send(
      Buffer.concat([head, Buffer.from([0x63, 0x61, 0x66, 0xe9]), Buffer.from('\r\nContent-Length: 0\r\n\r\n')]),
    );
    expect((await client.answer())?.status).toBe(200);
    expect(headerOf(ingest.records()[0]!, 'x-text')).toBe('žluťoučký 😀');
    expect(headerOf(ingest.records()[0]!, 'x-old')).toBe('café');
  });

  test.each([
    ['/stream/1/orders/wrong', 404, 'noSourceFound'],
    [`/stream/2/orders/${testSecret}`, 404, 'noSourceFound'],
    [`/stream/1/other/${testSecret}`, 404, 'noSourceFound'],
    ['/stream/1/orders', 404, 'noSourceFound'],
    [`/stream/foo/orders/${testSecret}`, 400, 'badRequest'],
    [`/stream/1/%zz/${testSecret}`, 400, 'badRequest'],
    [`/stream/1/orders/${testSecret}/more`, 404, 'routeNotFound'],
    [`/stream/1/orders/`, 404, 'routeNotFound'],
    [`/stream/1`, 404, 'routeNotFound'],
    ['/', 404, 'routeNotFound'],
    ['/otlp/1/orders/x/v1/logs', 404, 'noSourceFound'],
    ['/otlp/1/orders/x/v1development/profiles', 404, 'routeNotFound'],
  ])('POST %s is refused with a reason', async (path, status, error) => {
    await using ingest = await startIngest();
    for (let repeat = 0; repeat < 2; repeat++) {
      const answer = await post(ingest.url + path, 'x');
      expect(answer.status).toBe(status);
      const problem = await problemOf(answer);
      expect(problem).toMatchObject({ statusCode: status, error: `stream.in.${error}` });
      expect(problem.message).toMatch(/\.$/);
      expect(problem.message).not.toContain(testSecret);
    }
    expect(ingest.records()).toEqual([]);
  });

  test('of kind OTLP, or disabled, takes nothing', async () => {
    await using ingest = await startIngest([testSource({ type: 'otlp' })]);
    expect((await problemOf(await post(ingest.url + ingest.path, 'x'))).error).toBe('stream.in.noSourceFound');
    ingest.setSources([testSource({ disabled: true })]);
    expect((await problemOf(await post(ingest.url + ingest.path, 'x'))).error).toBe('stream.in.disabledSource');
  });

  test('D7: is found anew after every change of the directory', async () => {
    await using ingest = await startIngest();
    expect((await post(ingest.url + ingest.path, 'x')).status).toBe(200);
    ingest.setSources([testSource({ syncWait: false })]);
    expect((await post(ingest.url + ingest.path, 'x')).status).toBe(202);
    ingest.setSources([]);
    expect((await post(ingest.url + ingest.path, 'x')).status).toBe(404);
  });

  test('A29: takes two secrets while one is rotated away, until that one ends', async () => {
    await using ingest = await startIngest();
    const validUntil = ingest.clock.now() + 1000;
    ingest.setSources([testSource({ secrets: [{ text: 'fresh' }, { text: testSecret, validUntil }] })]);
    const statuses = async (): Promise<readonly number[]> => [
      (await post(`${ingest.url}/stream/1/orders/fresh`, 'x')).status,
      (await post(ingest.url + ingest.path, 'x')).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    ingest.clock.time = validUntil;
    expect(await statuses()).toEqual([200, 404]);
  });

  test('whose budget is spent is refused with its reason, and heals', async () => {
    const refusal = { error: 'budgetSpent', message: 'The budget is spent.', retryAfterSeconds: 30 };
    await using ingest = await startIngest([testSource({ refusal })]);
    const answer = await post(ingest.url + ingest.path, 'x');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await problemOf(answer)).toMatchObject({ error: 'stream.in.budgetSpent', message: 'The budget is spent.' });
    ingest.setSources([testSource()]);
    expect((await post(ingest.url + ingest.path, 'x')).status).toBe(200);
  });

  test('of the same id and secret in several branches gets the event in each, with one id', async () => {
    await using ingest = await startIngest([
      testSource(),
      other({ syncWait: false, enabledSinks: 0 }),
      other({ disabled: true }),
    ]);
    const answer = await post(`${ingest.url}${ingest.path}?verbose=true`, '{}');
    expect(answer.status).toBe(202);
    const [first, second] = [ingest.records()[0]!, ingest.records('source.2.orders')[0]!];
    const id = headerOf(first, 'millrace-id');
    expect(headerOf(second, 'millrace-id')).toBe(id);
    expect(await answer.json()).toEqual({
      statusCode: 202,
      message: 'accepted',
      sources: [
        { projectId: 1, sourceId: 'orders', branchId: 1, statusCode: 200, message: 'stored', events: [{ id }] },
        {
          projectId: 1,
          sourceId: 'orders',
          branchId: 2,
          statusCode: 202,
          message: 'No enabled sink found.',
          events: [{ id }],
        },
      ],
    });
  });

  test('D6: that refuses does not keep the event from another branch; the answer names it', async () => {
    const refusal = { error: 'budgetSpent', message: 'The budget is spent.', retryAfterSeconds: 30 };
    await using ingest = await startIngest([testSource({ refusal }), other({})]);
    const answer = await post(ingest.url + ingest.path, '{}');
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '30']);
    expect(await answer.json()).toMatchObject({
      statusCode: 503,
      error: 'stream.in.writeFailed',
      message: 'Written to 1/2 sources.',
      sources: [
        { branchId: 1, error: 'stream.in.budgetSpent', events: [] },
        { branchId: 2, message: 'stored' },
      ],
    });
    expect(ingest.records('source.2.orders')).toHaveLength(1);
  });

  test('A3: verbose needs the exact text true; A32: no enabled sink is said and the event kept', async () => {
    await using ingest = await startIngest([testSource({ enabledSinks: 0 })]);
    expect(await (await post(`${ingest.url}${ingest.path}?verbose=1`, 'x')).text()).toBe('OK');
    const answer = await (await post(`${ingest.url}${ingest.path}?a=b&verbose=true`, 'x')).json();
    expect(answer).toMatchObject({ statusCode: 200, message: 'No enabled sink found.' });
    expect(ingest.records()).toHaveLength(2);
  });
});

describe('other methods and paths', () => {
  test.each(['GET', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'TRACE', 'PROPFIND'])(
    'A40: %s gets 405 with Allow, and a body that says so',
    async (method) => {
      await using ingest = await startIngest();
      for (const path of [ingest.path, '/stream/1/orders']) {
        using client = await ingest.connect();
        await client.send(`${method} ${path} HTTP/1.1\r\nHost: h\r\n\r\n`);
        const answer = await client.answer();
        expect([answer?.status, answer?.headers.get('allow')]).toEqual([405, 'OPTIONS, POST']);
        const message = `This path takes OPTIONS, POST, not "${method}". Send events with POST.`;
        const body = JSON.stringify({ statusCode: 405, error: 'stream.in.methodNotAllowed', message });
        expect(answer?.body).toBe(method === 'HEAD' ? '' : body);
      }
    },
  );

  test('the health check answers GET with OK and a line end', async () => {
    await using ingest = await startIngest();
    expect(await (await fetch(`${ingest.url}/health-check`)).text()).toBe('OK\n');
    const answer = await fetch(`${ingest.url}/health-check`, { method: 'PUT' });
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  test('A26: OPTIONS and answers carry CORS headers, for any origin by default', async () => {
    await using ingest = await startIngest();
    const headers = { origin: 'https://shop.example', 'access-control-request-headers': 'content-type, authorization' };
    const preflight = await fetch(ingest.url + ingest.path, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(200);
    expect(await preflight.text()).toBe('');
    const names = ['allow', ...['methods', 'headers', 'origin'].map((name) => `access-control-allow-${name}`)];
    expect(names.map((name) => preflight.headers.get(name))).toEqual([
      'OPTIONS, POST',
      'OPTIONS, POST',
      '*, Authorization',
      '*',
    ]);
    for (const path of [ingest.path, '/stream/1/orders/wrong', '/nothing']) {
      const answer = await post(ingest.url + path, 'x', { origin: 'https://shop.example' });
      expect(answer.headers.get('access-control-allow-origin')).toBe('*');
    }
  });

  test('A26: only configured origins are allowed', async () => {
    await using ingest = await startIngest([testSource()], { corsOrigins: ['https://shop.example'] });
    const allowed = async (origin: string): Promise<string | null> =>
      (await post(ingest.url + ingest.path, 'x', { origin })).headers.get('access-control-allow-origin');
    expect([await allowed('https://shop.example'), await allowed('https://evil.example')]).toEqual([
      'https://shop.example',
      null,
    ]);
  });

  test('a host or port that cannot be had is a clear error', async () => {
    await using ingest = await startIngest();
    await expect(startIngest([], { port: ingest.port })).rejects.toMatchObject({
      code: 'config.invalid',
      message: `ingest cannot listen on 127.0.0.1:${ingest.port}: the port is taken by another process`,
    });
  });
});
