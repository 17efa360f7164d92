import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Listening extends AsyncDisposable {
  readonly port: number;
}

/** The physical limit that ingest is measured against: `node:http` that reads the body and answers `OK`. */
export async function listenBare(): Promise<Listening> {
  const server = createServer((request, response) => {
    request.on('data', () => undefined);
    request.on('end', () => response.end('OK'));
  });
  await new Promise<void>((resolve) => {
    server.listen({ host: '127.0.0.1', port: 0 }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    [Symbol.asyncDispose]: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
