import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface AnswerProxy extends AsyncDisposable {
  readonly port: number;
  /** The next request with this text reaches the server; its connection breaks before the answer. Resolves when it has. */
  loseAnswerTo(text: string): Promise<void>;
  /** Breaks all connections and takes no others until `restore`. */
  cut(): void;
  restore(): void;
}

/** A TCP proxy before a server of this machine that loses answers, for any protocol that is not encrypted. */
export async function startAnswerProxy(serverPort: number): Promise<AnswerProxy> {
  const sockets = new Set<Socket>();
  let wanted: { readonly text: string; readonly lost: () => void } | undefined;
  let isCut = false;
  const proxy = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const server = connect(serverPort, '127.0.0.1');
    let lost: (() => void) | undefined;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        sockets.delete(socket);
        client.destroy();
        server.destroy();
      });
    }
    client.on('data', (bytes: Buffer) => {
      if (wanted !== undefined && bytes.includes(wanted.text)) {
        ({ lost } = wanted);
        wanted = undefined;
      }
      server.write(bytes);
    });
    server.on('data', (bytes: Buffer) => {
      if (lost === undefined) client.write(bytes);
      else client.destroy();
      lost?.();
    });
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    port: (proxy.address() as AddressInfo).port,
    loseAnswerTo: (text) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      wanted = { text, lost: resolve };
      return promise;
    },
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore: () => {
      isCut = false;
    },
    [Symbol.asyncDispose]: async () => {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
