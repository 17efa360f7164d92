import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { describedFetch } from '../../test/support/api.ts';
import { rootToken, startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { RawClient } from '../../test/support/raw-client.ts';
import { matching } from '../../test/support/matching.ts';
import { oneInTime } from '../../test/support/one-in-time.ts';

const S = '/v1/branches/default/sources';
const K = `${S}/shop/sinks`;
const columns = [{ type: 'uuid', name: 'id' }];
const table = { tableId: 'in.c-shop.orders', mapping: { columns } };

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks: [{ name: 'orders', table }] });
});

afterAll(() => harness[Symbol.asyncDispose]());

function connect(): Promise<RawClient> {
  return RawClient.connect(Number(new URL(harness.base).port));
}

function head(line: string, ...lines: readonly string[]): string {
  return `${[`${line} HTTP/1.1`, 'Host: h', `X-StorageApi-Token: ${rootToken}`, ...lines].join('\r\n')}\r\n\r\n`;
}

async function post(path: string, body: string, headers: Readonly<Record<string, string>> = {}) {
  const response = await describedFetch(harness.base + path, {
    method: 'POST',
    headers: { 'X-StorageApi-Token': rootToken, 'Content-Type': 'application/json', ...headers },
    body,
  });
  return { status: response.status, text: await response.text() };
}

describe('D8: a body', () => {
  const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels);

  test.each([
    ['itself', nested(100_000)],
    ['in a text', `{"type":"http","name":${nested(100_000)}}`],
    ['in a choice', `{"type":${nested(100_000)},"name":"x"}`],
    [
      'in a field that nobody knows',
      `{"type":"http","name":"x","other":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}}`,
    ],
  ])('nested without end is refused with a sentence: %s', async (_, body) => {
    const { status, text } = await post(S, body);
    expect(JSON.parse(text)).toMatchObject({
      statusCode: 400,
      message: 'The body has more than 32 levels of arrays and objects.',
    });
    expect(status).toBe(400);
  });

  test.each([
    ['values', K, `{"name":"d","allowedSignals":[${'1,'.repeat(1_900_000)}1]}`],
    ['values', S, `{"type":"http","name":"d","sinks":[${'{},'.repeat(1_250_000)}1]}`],
    [
      'different keys',
      S,
      `{"type":"http","name":"d",${Array.from({ length: 200_000 }, (_, at) => `"k${at}":1`).join(',')}}`,
    ],
  ])('of more %s than any endpoint has use for costs no more than its bytes', async (what, path, body) => {
    const { status, text } = await post(path, body);
    expect(status).toBe(400);
    const { message } = JSON.parse(text) as { message: string };
    expect(message).toMatch(new RegExp(String.raw`^The body has more than \d+ ${what}`));
  });

  const C = '/v2/storage/components/generic-extractor/configs';
  const asForm = (fields: Readonly<Record<string, string>>): string => new URLSearchParams(fields).toString();
  const many = (name: string, count: number): string =>
    `{${Array.from({ length: count }, (_, at) => `"${name}${at}":1`).join(',')}}`;

  test.each([
    ['levels', `{"a":${nested(1_000_000)}}`],
    ['levels', ` \n{"a":${nested(33)}}`],
    ['different keys', many('k', 100_000)],
    ['values', ` {"a":[${'1,'.repeat(1_000_000)}1]}`],
  ])(
    'of a configuration, as the text of JSON with more %s than it may have, is refused as JSON is',
    async (what, text) => {
      const more = matching(new RegExp(`^The body has more than \\d+ ${what}`));
      for (const field of ['configuration', 'state']) {
        const json = await post(C, JSON.stringify({ name: 'd', [field]: text }));
        const form = await post(C, asForm({ name: 'd', [field]: text }), {
          'Content-Type': 'application/x-www-form-urlencoded',
        });
        for (const { status, text: body } of [json, form])
          expect([status, JSON.parse(body)]).toEqual([400, expect.objectContaining({ error: more })]);
      }
    },
  );

  test('with more secrets than a configuration may have is refused, and shows none', async () => {
    const secrets = (count: number): string => JSON.stringify({ '#a': Array.from({ length: count }, () => 'sesame') });
    expect((await post(C, JSON.stringify({ name: 'd', configuration: secrets(1000) }))).status).toBe(201);
    const { status, text } = await post(C, JSON.stringify({ name: 'd', configuration: secrets(1001) }));
    expect([status, text]).toEqual([400, matching(/more than 1000 values of keys with \\"#\\"/)]);
    expect(text).not.toContain('sesame');
  });

  /** For how many milliseconds nothing else is done while a form of eight million of these is taken, and refused. */
  async function longestTurn(letter: string): Promise<number> {
    let last = performance.now();
    let longest = 0;
    const beat = setInterval(() => {
      longest = Math.max(longest, performance.now() - last);
      last = performance.now();
    }, 5);
    const { status } = await post(C, `name=a&description=${letter.repeat(8_000_000)}`, {
      'Content-Type': 'application/x-www-form-urlencoded',
    });
    clearInterval(beat);
    expect(status).toBe(400);
    return longest;
  }

  test('of a form with millions of blanks holds nobody up', async () => {
    const ofLetters = await longestTurn('x');
    await oneInTime(10 * Math.max(ofLetters, 100), () => longestTurn('+'));
  });

  test('wrong in many places tells of twenty, and how many more there are', async () => {
    const { text } = await post(
      K,
      JSON.stringify({ name: 'd', table, allowedSignals: Array.from({ length: 100 }, () => 1) }),
    );
    const { message } = JSON.parse(text) as { message: string };
    expect(message.split('\n')).toHaveLength(21);
    expect(message).toMatch(/\n- And 80 more\.$/);
  });

  test('too large by its declared length is refused before it is sent', async () => {
    using client = await connect();
    await client.send(head(`POST ${S}`, 'Content-Length: 99999999'));
    expect((await client.answer())?.status).toBe(413);
  });

  test('waits for 100 Continue, and is refused without it', async () => {
    using client = await connect();
    await client.send(head(`POST ${S}`, 'Expect: 100-continue', 'Content-Length: 99999999'));
    expect(await client.answer()).toMatchObject({ status: 413 });
    await client.closed();
    using stranger = await connect();
    await stranger.send(`POST ${S} HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 70000\r\n\r\n`);
    expect(await stranger.answer()).toMatchObject({ status: 413 });
    using welcome = await connect();
    await welcome.send(head(`POST ${S}`, 'Expect: 100-continue', 'Content-Length: 2'));
    expect(await welcome.answer()).toMatchObject({ status: 100 });
    await welcome.send(`{}${head('GET /health-check')}`);
    expect(await welcome.answer()).toMatchObject({ status: 400 });
    expect(await welcome.answer()).toMatchObject({ status: 200 });
  });

  test('that nobody wants is read to its end', async () => {
    using client = await connect();
    await client.send(
      `${head('GET /health-check', 'Content-Length: 100000')}${'x'.repeat(100_000)}${head('GET /health-check')}`,
    );
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(await client.answer()).toMatchObject({ status: 200 });
    await client.send(
      `${head('POST /nothing', 'Content-Length: 100000')}${'x'.repeat(100_000)}${head('GET /health-check')}`,
    );
    expect(await client.answer()).toMatchObject({ status: 404 });
    expect(await client.answer()).toMatchObject({ status: 200 });
    const compressed = gzipSync(Buffer.alloc(9 * 1024 * 1024));
    await client.send(head(`POST ${S}`, 'Content-Encoding: gzip', `Content-Length: ${compressed.length}`));
    await client.send(compressed);
    expect(await client.answer()).toMatchObject({ status: 413 });
    await client.send(head('GET /health-check'));
    expect(await client.answer()).toMatchObject({ status: 200 });
  });
});

describe('D9: what is not HTTP/1.1', () => {
  test.each([
    { what: 'two Hosts', sent: head('GET /v1', 'Host: other'), status: 400, body: /more than one header \\"Host/ },
    { what: 'no version', sent: 'GET /v1\r\n\r\n', status: 400, body: /^/ },
    { what: 'a later version', sent: 'GET /v1 HTTP/2.0\r\nHost: h\r\n\r\n', status: 400, body: /^/ },
    {
      what: 'a coding that is not read',
      sent: head(`POST ${S}`, 'Transfer-Encoding: gzip, chunked'),
      status: 501,
      body: /must be \\"chunked/,
    },
    { what: 'a tunnel', sent: 'CONNECT a.example:443 HTTP/1.1\r\nHost: h\r\n\r\n', status: 404, body: /no endpoint/i },
    {
      what: 'a chunk without a size',
      sent: `${head(`POST ${S}`, 'Transfer-Encoding: chunked')}zz\r\n`,
      status: 400,
      body: /chunk size/,
    },
    { what: 'a target of another kind', sent: head('GET ftp://[::1/v1'), status: 404, body: /no endpoint/i },
  ])('is told so: $what', async ({ sent, status, body }) => {
    using client = await connect();
    await client.send(sent);
    expect(await client.answer()).toMatchObject({ status, body: matching(body) });
  });

  test('an absolute target without a readable host counts as its path', async () => {
    using client = await connect();
    await client.send(head('GET http://[::1/v1'));
    expect(await client.answer()).toMatchObject({ status: 200, body: matching(/"api"/) });
  });

  test.each(['nonsense\r\n\r\n', 'CONNECT a.example:443 HTTP/1.1\r\nHost: h\r\n\r\n'])(
    'gets no answer that would be taken for that of the request before it: %s',
    async (sent) => {
      using client = await connect();
      await client.send(`${head(`GET ${S}`)}${sent}`);
      expect(await client.answer()).toMatchObject({ status: 200 });
      expect(await client.answer()).toBeUndefined();
    },
  );

  test('is answered after the requests before it when it is the body that is wrong', async () => {
    using client = await connect();
    await client.send(`${head(`GET ${S}`)}${head(`POST ${S}`, 'Transfer-Encoding: chunked')}zz\r\n`);
    expect(await client.answer()).toMatchObject({ status: 200 });
    expect(await client.answer()).toMatchObject({ status: 400 });
    expect(await client.answer()).toBeUndefined();
  });

  test('is not answered twice', async () => {
    using client = await connect();
    await client.send(`${head('POST /nothing', 'Transfer-Encoding: chunked')}zz\r\n`);
    expect(await client.answer()).toMatchObject({ status: 404 });
    expect(await client.answer()).toBeUndefined();
  });
});

describe('D8: an answer', () => {
  test('of the test endpoint does not grow with the number of sinks', async () => {
    const sinks = Array.from({ length: 18 }, (_, at) => ({
      name: `k${at}`,
      table: { tableId: `in.c-copies.t${at}`, mapping: { columns: [{ type: 'body', name: 'b' }] } },
    }));
    await harness.api.task('POST', S, { type: 'http', name: 'copies', sinks });
    const answer = await post(`${S}/copies/test`, 'x'.repeat(1024 * 1024));
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.text)).toMatchObject({
      error: 'stream.api.payloadTooLarge',
      message: matching(/together/),
    });
    expect((await post(`${S}/copies/test`, 'x'.repeat(1024))).status).toBe(200);
  });

  test('of a preview holds a column once', async () => {
    const path = '/v2/storage/tables/in.c-shop.orders/data-preview?columns=id,id';
    expect(await harness.api.request('GET', path)).toMatchObject({
      status: 400,
      body: { code: 'storage.tables.validation', error: '"columns" names the column "id" twice.' },
    });
  });
});

test('D10: a drain does not wait for clients that send nothing, or only half', async () => {
  await using other = await startAdmin();
  const clients = ['', 'GET /v1 HTT', head(`POST ${S}`, 'Content-Length: 10'), head('GET /health-check')].map(
    async (sent) => {
      const client = await RawClient.connect(Number(new URL(other.base).port));
      if (sent !== '') await client.send(sent);
      return client;
    },
  );
  const [, , , kept] = await Promise.all(clients);
  expect(await kept?.answer()).toMatchObject({ status: 200 });
  await other.admin.drain();
  for (const client of await Promise.all(clients)) await client.closed();
});

test('A29: the log does not tell paths that are meant for another port, they may hold a secret', async () => {
  const told: unknown[] = [];
  await using other = await startAdmin((dependencies) => {
    const { telemetry } = dependencies;
    const log = Object.assign(Object.create(telemetry.log) as typeof telemetry.log, {
      debug: (...line: unknown[]) => void told.push(line),
    });
    return { ...dependencies, telemetry: { ...telemetry, log } };
  });
  await describedFetch(`${other.base}/stream/1/shop/s3cr3t`, { method: 'POST', body: 'x' });
  await describedFetch(`${other.base}/v1/nothing`);
  expect(JSON.stringify(told)).not.toContain('s3cr3t');
  expect(JSON.stringify(told)).toContain('/v1/nothing');
});
