import type { Server } from 'node:http';
import { parseTrustedProxies } from '../../../core/sender-address.ts';
import { HttpListener } from '../../../listener/http-listener.ts';
import type { ListenerAddress } from '../../../listener/listen.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { Acceptor } from '../accept/acceptor.ts';
import type { IngestListener } from '../accept/ingest-listener.ts';
import { Intakes } from '../accept/intakes.ts';
import { createCors } from './cors.ts';
import type { ExchangeContext, OpenExchange } from './exchange-context.ts';
import type { Face } from './face.ts';
import type { HttpConfig } from './http-config.ts';
import { createListener } from './listener.ts';
import { routeNotFound } from './problem.ts';
import { UnsentAnswers } from './unsent-answers.ts';

export interface HttpIngestOptions {
  readonly acceptor: Acceptor;
  /** Whose paths begin differently. */
  readonly faces: readonly Face[];
  readonly config: HttpConfig;
}

/** Takes events over HTTP and puts them into the log. */
export interface HttpIngest extends IngestListener {
  /** How many requests are being received or stored. */
  readonly requests: number;
}

/** Makes the listener; it does nothing before its start. `config.invalid` for a trusted proxy that is no address. */
export function createHttpIngest(options: HttpIngestOptions): HttpIngest {
  return new Listener(options);
}

class Listener implements HttpIngest {
  readonly id = 'ingest';
  readonly #leave = new AbortController();
  readonly #swept = new AbortController();
  /** The service has left, or failed. */
  readonly #ended = Promise.withResolvers<void>();
  readonly #context: ExchangeContext;
  readonly #intakes: Intakes<OpenExchange>;
  readonly #server: Server;
  readonly #listener: HttpListener;
  #drained: Promise<void> | undefined;

  constructor({ acceptor, faces, config }: HttpIngestOptions) {
    this.#intakes = new Intakes<OpenExchange>(acceptor, this.#leave.signal);
    this.#context = {
      config,
      acceptor,
      intakes: this.#intakes,
      faces,
      routeNotFound: routeNotFound(faces.flatMap(({ routes }) => routes)),
      cors: createCors(config.corsOrigins),
      unsent: new UnsentAnswers(acceptor.inFlight),
      proxies: parseTrustedProxies(config.trustedProxies),
      waiting: { signal: this.#leave.signal },
    };
    this.#server = createListener(this.#context);
    this.#listener = new HttpListener(this.#server, { host: config.host, port: config.port, name: this.id });
    // A failure belongs to `run`; without one waiting it is no unhandled rejection.
    this.#ended.promise.catch(() => undefined);
    this.#listener.ended.catch((error: unknown) => this.#ended.reject(error));
  }

  start(): Promise<void> {
    return this.#listener.start();
  }

  address(): ListenerAddress | undefined {
    return this.#listener.address();
  }

  get requests(): number {
    return this.#intakes.size;
  }

  settled(options: Waiting): Promise<void> {
    return this.#intakes.settled(options);
  }

  async run(signal: AbortSignal): Promise<void> {
    const leave = (): void => this.#cut();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    const sweeping = this.#intakes.sweep(AbortSignal.any([this.#swept.signal, this.#leave.signal]));
    try {
      if (!this.#leave.signal.aborted && this.#drained === undefined) await this.start();
      await this.#ended.promise;
    } finally {
      this.#swept.abort();
      await sweeping;
      signal.removeEventListener('abort', leave);
    }
  }

  drain(): Promise<void> {
    this.#drained ??= this.#finish();
    return this.#drained;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cut();
    await Promise.allSettled([this.#ended.promise]);
  }

  /** D10: no new connection, no new request; what was accepted is stored and answered; what comes too late is cut. */
  async #finish(): Promise<void> {
    const { acceptor, waiting } = this.#context;
    const { clock, limits } = acceptor;
    const empty = this.#intakes.close();
    this.#listener.close();
    this.#closeUnused();
    const finished = new AbortController();
    const patience = clock.sleep(limits.drainBodyMs, { signal: AbortSignal.any([finished.signal, waiting.signal]) });
    const late = patience.then(
      () => this.#cutLate(empty),
      () => undefined,
    );
    const done = empty.then(() => this.#closeUnused()).then(() => this.#listener.ended);
    await Promise.race([done, this.#ended.promise]);
    finished.abort();
    await late;
    this.#ended.resolve();
  }

  /** Ends connections without a request: those that wait for the next one, and those that never sent any. */
  #closeUnused(): void {
    this.#server.closeIdleConnections();
    for (const socket of this.#listener.sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  async #cutLate(empty: Promise<void>): Promise<void> {
    this.#intakes.cutReceiving();
    await Promise.race([empty, this.#ended.promise]);
    this.#server.closeAllConnections();
  }

  /** Leaves at once: nothing is finished. */
  #cut(): void {
    if (this.#leave.signal.aborted) return;
    void this.#intakes.close();
    this.#leave.abort();
    this.#listener.close();
    this.#listener.ended.then(this.#ended.resolve, this.#ended.reject);
    this.#server.closeAllConnections();
  }
}
