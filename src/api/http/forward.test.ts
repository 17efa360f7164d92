import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { forward } from './forward.ts';
import { requestEnd } from './request-end.ts';

const servers: Server[] = [];

afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it('an answer that was passed on whole is no failure of the request', async () => {
  const url = await serve((request, response) => {
    request.resume();
    response.writeHead(503, { 'Content-Type': 'text/plain' }).end('another one');
  });
  const failures: unknown[] = [];
  const passed: Promise<void>[] = [];
  const front = await serve((request, response) => {
    const holder = { holder: 'other', url, since: '2026-01-01T00:00:00Z', vacated: false };
    const passing = forward(
      { request, response },
      { holder, owner: 'me' },
      { signal: requestEnd(response, undefined) },
    );
    passed.push(passing.catch((thrown: unknown) => void failures.push(thrown)));
  });
  for (let count = 0; count < 20; count += 1) {
    const answer = await fetch(front, { method: 'PATCH', body: '{}' });
    expect([answer.status, await answer.text()]).toEqual([503, 'another one']);
  }
  await Promise.all(passed);
  expect(failures).toEqual([]);
});
