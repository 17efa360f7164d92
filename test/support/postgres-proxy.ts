import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** What a proxy does with the next COMMIT that a client sends. */
export type CommitFault =
  /** The server commits; its answer is lost with the connection. */
  | 'lose the answer'
  /** The server never sees it; the connection is lost. */
  | 'lose the request'
  /** The server never sees it, and the connection stays. */
  | 'hold the request'
  /** The server commits; its answer and all later connections are lost. */
  | 'lose the answer and the way';

export interface PostgresProxy extends AsyncDisposable {
  readonly port: number;
  /** For the next COMMIT. `seen` resolves when it has passed. */
  onCommit(fault: CommitFault): { readonly seen: Promise<void> };
  /** Takes bytes of the clients and gives nothing on, as a network does that drops packets. */
  swallow(): void;
}

const commit = Buffer.from('COMMIT\0');

/** A TCP proxy before a PostgreSQL of this machine that loses what it is told to lose. */
export async function openPostgresProxy(serverPort: number, port = 0): Promise<PostgresProxy> {
  const sockets = new Set<Socket>();
  let fault: { readonly kind: CommitFault; readonly seen: () => void } | undefined;
  let isCut = false;
  let isSwallowing = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const server = connect(serverPort, '127.0.0.1');
    let isDeaf = false;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (bytes) => {
      if (isSwallowing) return;
      if (fault === undefined || !bytes.includes(commit)) {
        server.write(bytes);
        return;
      }
      const { kind, seen } = fault;
      fault = undefined;
      isCut = kind === 'lose the answer and the way';
      isDeaf = kind !== 'hold the request';
      if (kind === 'lose the request') client.destroy();
      else if (kind !== 'hold the request') server.write(bytes);
      seen();
    });
    server.on('data', (bytes) => {
      if (isDeaf) client.destroy();
      else if (!isSwallowing) client.write(bytes);
    });
  }).listen(port, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    onCommit: (kind) => {
      const { promise: seen, resolve } = Promise.withResolvers<void>();
      fault = { kind, seen: resolve };
      return { seen };
    },
    swallow: () => {
      isSwallowing = true;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
