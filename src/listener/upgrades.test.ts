import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { RawClient, type RawAnswer } from '../../test/support/raw-client.ts';
import { Upgrades } from './upgrades.ts';

let server: Server;
let served: string[];
/** Requests that were read to their end. */
let read: number;
let connection: Socket;
let release: () => void;

beforeEach(async () => {
  const upgrades = new Upgrades();
  [served, read] = [[], 0];
  server = createServer((request, response) => {
    if (!upgrades.admit(request, response)) return;
    served.push(`${request.method} ${request.url}`);
    request.once('end', () => (read += 1));
    if (request.url === '/early') response.end('early');
    if (request.url === '/held') release = () => response.end('held');
    request.resume().on('end', () => {
      if (request.url === '/a') setImmediate(() => response.end('ok'));
    });
  });
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => (connection = socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});

afterEach(() => {
  server.closeAllConnections();
  server.close();
});

const upgrade = 'Host: h\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAAA\r\n';
const body = 'POST /smuggled HTTP/1.1\r\nHost: h\r\nContent-Length: 0\r\n\r\n';

const hello = `POST /a HTTP/1.1\r\n${upgrade}Content-Length: 5\r\n\r\nhello`;

it.each([
  [
    'the head of another, whose body comes later',
    [`${hello}POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n`, body],
  ],
  ['another', [`${hello}${body}`]],
  ['another, where it was no first request', [hello, `${hello}${body}`]],
  [
    'nothing that can be told from a body in chunks',
    [`POST /a HTTP/1.1\r\n${upgrade}Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n`, body],
  ],
])(
  'D9: a request for another protocol is answered, and nothing is served that comes behind it with %s',
  async (_, parts) => {
    using client = await RawClient.connect((server.address() as AddressInfo).port);
    const answers: (RawAnswer | undefined)[] = [];
    for (const part of parts) {
      await client.send(part);
      answers.push(await client.answer());
    }
    const ended = answers.findIndex((answer) => answer?.headers.get('connection') === 'close');
    expect(answers.map((answer) => answer?.status)).toEqual(parts.map((_part, at) => (at <= ended ? 200 : undefined)));
    expect(await client.answer()).toBeUndefined();
    expect(served).toEqual(Array.from({ length: ended + 1 }, () => 'POST /a'));
  },
);

it('a client that offers another protocol with each request, and sends one at a time, keeps its connection', async () => {
  using client = await RawClient.connect((server.address() as AddressInfo).port);
  const likeAnother = `POST /a HTTP/1.1\r\n${upgrade}Content-Length: ${body.length}\r\n\r\n`;
  for (const parts of [[hello], [likeAnother, body], [hello], [`GET /a HTTP/1.1\r\n${upgrade}\r\n`]]) {
    for (const part of parts) await client.send(part);
    const answer = await client.answer();
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([200, 'keep-alive']);
  }
  expect(served).toEqual(['POST /a', 'POST /a', 'POST /a', 'GET /a']);
});

it('D9: an answer that is earlier than the body keeps the connection, unless more than the body comes', async () => {
  const head = `POST /early HTTP/1.1\r\n${upgrade}Content-Length: 5\r\n\r\n`;
  using client = await RawClient.connect((server.address() as AddressInfo).port);
  for (const rest of ['hello', 'hello', `hello${body}`]) {
    await client.send(head);
    expect((await client.answer())?.headers.get('connection')).toBe('keep-alive');
    await client.send(rest);
    await expect.poll(() => read).toBe(served.length);
  }
  expect(await client.answer()).toBeUndefined();
  expect(served).toEqual(['POST /early', 'POST /early', 'POST /early']);
});

it('D9: nothing is served behind it while its answer is not there', async () => {
  using client = await RawClient.connect((server.address() as AddressInfo).port);
  const lost = `POST /b HTTP/1.1\r\nHost: h\r\nContent-Length: ${body.length}\r\n\r\n`;
  const parts = [`POST /held HTTP/1.1\r\n${upgrade}Content-Length: 0\r\n\r\n${lost}`, body];
  let sent = 0;
  for (const part of parts) {
    await client.send(part);
    sent += part.length;
    await expect.poll(() => connection.bytesRead).toBe(sent);
  }
  release();
  expect((await client.answer())?.headers.get('connection')).toBe('close');
  expect(await client.answer()).toBeUndefined();
  expect(served).toEqual(['POST /held']);
});
