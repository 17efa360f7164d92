import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { answerLength } from './connection.ts';
import { rawPost, runHttpLoad, type HttpLoad } from './http-load.ts';

interface Taken {
  readonly server: Server;
  readonly load: HttpLoad;
  requests: number;
  readonly bodies: Set<string>;
}

async function serve(status: () => number): Promise<Taken> {
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      taken.requests += 1;
      taken.bodies.add(Buffer.concat(chunks).toString());
      response.writeHead(status()).end('x'.repeat(taken.requests % 3));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const requests = ['{"a":1}', '{"a":2}'].map((body) => rawPost('/x', Buffer.from(body)));
  const load = { host: '127.0.0.1', port, connections: 5, durationMs: 100, warmUpMs: 0, requests, awaitsAll: true };
  const taken: Taken = { server, load, requests: 0, bodies: new Set() };
  return taken;
}

test('every request that the other side answered is counted, the first and the last, too', async () => {
  const taken = await serve(() => 200);
  const { answers, loaderMicroseconds } = await runHttpLoad(taken.load);
  taken.server.closeAllConnections();
  taken.server.close();
  expect(answers).toBe(taken.requests);
  expect(answers).toBeGreaterThanOrEqual(5);
  expect([...taken.bodies].toSorted()).toEqual(['{"a":1}', '{"a":2}']);
  expect(loaderMicroseconds).toBeGreaterThan(0);
});

test('a load of a rate is sent at it, and counted, too', async () => {
  const taken = await serve(() => 200);
  const { answers } = await runHttpLoad({ ...taken.load, perSecond: 100, durationMs: 5000 });
  taken.server.closeAllConnections();
  taken.server.close();
  expect(answers).toBe(taken.requests);
  // Half of the 500 that chance gives it, or twice as many, it does not give in the age of the world.
  expect(answers).toBeGreaterThan(250);
  expect(answers).toBeLessThan(1000);
});

test('an answer that ends its connection is followed by another connection, and nothing fails', async () => {
  const taken = await serve(() => 200);
  let connections = 0;
  taken.server.on('connection', () => (connections += 1));
  taken.server.prependListener('request', (_request, response: ServerResponse) => {
    if (taken.requests % 10 === 9) response.setHeader('Connection', 'close');
  });
  const { answers } = await runHttpLoad({ ...taken.load, durationMs: 1000 });
  taken.server.closeAllConnections();
  taken.server.close();
  expect(answers).toBe(taken.requests);
  expect(connections).toBeGreaterThan(5);
});

test('an answer that is no 2xx fails the load', async () => {
  const taken = await serve(() => (taken.requests > 3 ? 503 : 200));
  await expect(runHttpLoad(taken.load)).rejects.toThrow(/\d+ requests of the bench failed/);
  taken.server.closeAllConnections();
  taken.server.close();
});

test('an answer is as long as its head says', () => {
  expect(answerLength(Buffer.from('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nOK'))).toBe(40);
  expect(answerLength(Buffer.from('HTTP/1.1 204 No Content\r\n\r\n'))).toBe(27);
  expect(answerLength(Buffer.from('HTTP/1.1 200 OK\r\nContent-Le'))).toBeUndefined();
});
