import type { Server, Socket } from 'node:net';
import { Bag, type Bagged } from '../core/bag.ts';
import { addressOf, listen, type ListenerAddress, type ListenerPlace } from './listen.ts';

/** Where to listen; `name` says who does, in errors. */
export interface HttpListenerOptions extends ListenerPlace {
  readonly name: string;
}

interface OpenConnection extends Bagged {
  readonly socket: Socket;
}

/** An HTTP server with its connections: listens once, and tells when it has ended. */
export class HttpListener {
  /** Resolves when it does not listen any more, or never could, and no connection is open; rejects when it fails. */
  readonly ended: Promise<void>;
  readonly #server: Server;
  readonly #options: HttpListenerOptions;
  readonly #end = Promise.withResolvers<void>();
  readonly #open = new Bag<OpenConnection>();
  #started: Promise<void> | undefined;

  constructor(server: Server, options: HttpListenerOptions) {
    this.#server = server;
    this.#options = options;
    this.ended = this.#end.promise;
    // A failure belongs to whoever waits for the end; without one it is no unhandled rejection.
    this.ended.catch(() => undefined);
    server.on('close', () => this.#end.resolve());
    server.on('connection', (socket) => {
      const connection = { socket, place: -1 };
      this.#open.add(connection);
      socket.once('close', () => this.#open.delete(connection));
    });
  }

  /** Its open connections. */
  get sockets(): readonly Socket[] {
    return Array.from(this.#open, ({ socket }) => socket);
  }

  /** Listens, at the first call; `config.invalid` when host or port cannot be had. */
  start(): Promise<void> {
    this.#started ??= this.#listen();
    return this.#started;
  }

  /** Where it listens; undefined before the start. */
  address(): ListenerAddress | undefined {
    return addressOf(this.#server);
  }

  /** Takes no new connection. Those that wait for no answer end, the others go on. */
  close(): void {
    // A server that does not listen says so here, and has ended.
    this.#server.close(() => this.#end.resolve());
  }

  async #listen(): Promise<void> {
    const { name, ...place } = this.#options;
    try {
      await listen(this.#server, place, { name, onError: (error) => this.#end.reject(error) });
    } catch (thrown) {
      this.#end.resolve();
      throw thrown;
    }
  }
}
