import { createServer, request as httpRequest } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { expect, it } from 'vitest';
import { LatestExchanges } from './latest-exchanges.ts';

it('B4: a request that takes long is known while it arrives, and no longer', async () => {
  const latest = new LatestExchanges();
  const seen = Promise.withResolvers<Socket>();
  const server = createServer((request, response) => {
    latest.note(request, response);
    if (request.url === '/long') latest.takeLong(request);
    seen.resolve(request.socket);
    request.resume().once('end', () => response.end());
  });
  await using _ = { [Symbol.asyncDispose]: async () => void (await once(server.close(), 'close')) };
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const sending = httpRequest({ port, path: '/long', method: 'PUT', agent: false });
  sending.write('x');
  const socket = await seen.promise;
  expect(latest.mayTakeLong(socket)).toBe(true);
  expect(latest.stateOf(socket).kind).toBe('receiving');
  sending.end();
  const [response] = (await once(sending, 'response')) as [NodeJS.ReadableStream];
  response.resume();
  expect(latest.mayTakeLong(socket)).toBe(false);
});
