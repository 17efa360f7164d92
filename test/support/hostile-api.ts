import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer, type TlsOptions } from 'node:tls';

/** What a server does with one request, by its path, with its query or without; the head of the request is whole. */
export type Behaviour = (socket: Socket, head: string) => void;

export interface HostileApi extends AsyncDisposable {
  readonly port: number;
  /** Heads of the requests, in order. */
  readonly heads: readonly string[];
  /** Connections that were made. */
  readonly connections: number;
  /** Connections that are open. */
  readonly open: number;
}

export interface HostileApiOptions {
  readonly tls?: TlsOptions;
  readonly onConnection?: (socket: Socket) => void;
}

/** A server on 127.0.0.1 that writes bytes as it likes: what comes of a path that it does not know is a hang up. */
export async function hostileApi(
  behaviours: Readonly<Record<string, Behaviour>>,
  { tls, onConnection }: HostileApiOptions = {},
): Promise<HostileApi> {
  const heads: string[] = [];
  const sockets = new Set<Socket>();
  let connections = 0;
  const serve = (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    onConnection?.(socket);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const end = text.indexOf('\r\n\r\n');
      if (end < 0) return;
      const head = text.slice(0, end);
      text = '';
      heads.push(head);
      const path = head.split(' ')[1] ?? '';
      const behaviour = behaviours[path] ?? behaviours[path.replace(/\?.*$/, '')] ?? ((one: Socket) => one.destroy());
      behaviour(socket, head);
    });
  };
  const server: Server =
    tls === undefined ? createServer(serve) : createTlsServer(tls, serve).on('tlsClientError', () => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    port: address.port,
    heads,
    get connections() {
      return connections;
    },
    get open() {
      return sockets.size;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** An answer with a length, on a connection that stays. */
export function answering(body: string | Uint8Array, headers = '', status = '200 OK'): Behaviour {
  const bytes = Buffer.from(body);
  return (socket) => {
    socket.write(`HTTP/1.1 ${status}\r\ncontent-length: ${bytes.length}\r\n${headers}\r\n`);
    socket.write(bytes);
  };
}

/** Writes pieces for as long as the other side takes them. */
export function endless(head: string, piece: Uint8Array): Behaviour {
  return (socket) => {
    const pump = () => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', pump);
    socket.write(head);
    pump();
  };
}
