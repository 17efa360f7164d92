import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port of 127.0.0.1 that was free a moment ago; for processes that must come back under the same address. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/**
 * A free port that the system gives to no connection by itself, so that a server which was killed finds it free again; two
 * test processes may still choose the same.
 */
export async function lastingPort(): Promise<number> {
  for (;;) {
    const port = 10_000 + Math.floor(Math.random() * 20_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
