import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What becomes of a request. The server gets it in any case but `answer`. */
export type Fate =
  | { readonly kind: 'pass' }
  /** After so many bytes of the answer the connection breaks. */
  | { readonly kind: 'cut'; readonly afterBytes: number }
  /** No byte of the answer arrives, and the connection stays open. */
  | { readonly kind: 'silence' }
  /** The proxy answers this itself. */
  | { readonly kind: 'answer'; readonly http: string };

export interface CuttingProxy extends AsyncDisposable {
  readonly endpoint: string;
  /** Decides about each request, `PUT /bucket/key?partNumber=1`; everything passes at first. */
  fateOf: (request: string) => Fate;
}

/** A way to a plain HTTP server on which answers get lost. */
export async function startCuttingProxy(target: string): Promise<CuttingProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(port), hostname);
    for (const socket of [client, upstream]) {
      sockets.add(socket);
      socket.on('close', () => sockets.delete(socket));
      socket.on('error', () => {});
    }
    carry({ client, upstream, fateOf: (request) => proxy.fateOf(request) });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address() as AddressInfo;
  const proxy: CuttingProxy = {
    endpoint: `http://127.0.0.1:${address.port}`,
    fateOf: () => ({ kind: 'pass' }),
    [Symbol.asyncDispose]: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
  return proxy;
}

interface Carried {
  readonly client: Socket;
  readonly upstream: Socket;
  readonly fateOf: CuttingProxy['fateOf'];
}

function carry({ client, upstream, fateOf }: Carried): void {
  let left = Infinity;
  let isAnswered = false;
  let isSilent = false;
  client.on('data', (chunk: Buffer) => {
    const request = /^((?:GET|HEAD|PUT|POST|DELETE) \S+) HTTP\/1\.1\r\n/.exec(
      chunk.subarray(0, 4096).toString('latin1'),
    );
    if (request !== null) {
      const fate = fateOf(request[1] ?? '');
      isAnswered = fate.kind === 'answer';
      isSilent = fate.kind === 'silence';
      left = fate.kind === 'cut' ? fate.afterBytes : Infinity;
      if (fate.kind === 'answer') client.end(fate.http);
    }
    if (!isAnswered) upstream.write(chunk);
  });
  client.on('close', () => upstream.destroy());
  upstream.on('close', () => {
    if (!isSilent) client.destroy();
  });
  upstream.on('data', (chunk: Buffer) => {
    if (isSilent) return;
    const passed = chunk.subarray(0, Math.min(chunk.length, left));
    left -= passed.length;
    if (left > 0) client.write(passed);
    else client.write(passed, () => client.destroy());
  });
}
