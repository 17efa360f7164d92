import { randomFillSync } from 'node:crypto';
import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Clock } from '../../../core/clock.ts';
import { parseTrustedProxies } from '../../../core/sender-address.ts';
import type { Service } from '../../../core/service.ts';
import { addressOf, listen, type ListenerAddress } from '../../../listener/listen.ts';
import type { EventLog } from '../../../ports/event-log.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import { createCors } from './cors.ts';
import { createEventIds } from '../accept/event-id.ts';
import { InFlight } from '../accept/in-flight.ts';
import { appendSweepMs, type IngestConfig } from './ingest-config.ts';
import type { IngestContext } from './ingest-context.ts';
import type { IngestObserver } from '../../../telemetry/observe-ingest.ts';
import { createListener } from './listener.ts';
import { PlacedAppends } from '../accept/placed-appends.ts';
import { problems } from './problem.ts';
import type { SourceDirectory } from '../accept/source-directory.ts';
import { Targets } from '../accept/targets.ts';

export interface IngestDependencies {
  /** Source topics. */
  readonly log: Pick<EventLog, 'append' | 'condition'>;
  readonly sources: SourceDirectory;
  readonly clock: Clock;
  readonly telemetry: IngestObserver;
  readonly config: IngestConfig;
}

/** Takes events over HTTP and puts them into the log. */
export interface IngestService extends Service {
  /** Listens; `config.invalid` when host or port cannot be had. `run` does it when it was not called before. */
  start(): Promise<void>;
  /** Where it listens; undefined before the start. */
  address(): ListenerAddress | undefined;
  /** Resolves when every request that is being received or stored now has ended. */
  settled(options: Waiting): Promise<void>;
  /** Bytes of requests that are in memory, and how many requests these are. */
  load(): { readonly bytes: number; readonly requests: number };
}

/** Makes the service; it does nothing before its start. `config.invalid` for a trusted proxy that is no address. */
export function createIngest(dependencies: IngestDependencies): IngestService {
  return new HttpIngest(dependencies);
}

const settlePollMs = 5;

class HttpIngest implements IngestService {
  readonly id = 'ingest';
  readonly #leave = new AbortController();
  readonly #swept = new AbortController();
  /** The listener and all connections are closed. */
  readonly #closed = Promise.withResolvers<void>();
  /** The service has left, or failed. */
  readonly #ended = Promise.withResolvers<void>();
  readonly #context: IngestContext;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  #started: Promise<void> | undefined;
  #drained: Promise<void> | undefined;

  constructor({ log, sources, clock, telemetry, config }: IngestDependencies) {
    this.#context = {
      config,
      clock,
      telemetry,
      targets: new Targets(sources),
      appends: new PlacedAppends({ log, clock, signal: this.#leave.signal, withinMs: config.appendTimeoutMs }),
      ids: createEventIds((words) => void randomFillSync(words)),
      inFlight: new InFlight(config.maxBufferedBytes),
      cors: createCors(config.corsOrigins),
      proxies: parseTrustedProxies(config.trustedProxies),
      waiting: { signal: this.#leave.signal },
      exchanges: { open: new Set(), closing: false, onEmpty: () => undefined },
    };
    this.#server = createListener(this.#context);
    this.#server.on('close', () => this.#closed.resolve());
    // A failure belongs to `run`; without one waiting it is no unhandled rejection.
    this.#ended.promise.catch(() => undefined);
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.on('close', () => this.#sockets.delete(socket));
    });
  }

  start(): Promise<void> {
    this.#started ??= this.#listen();
    return this.#started;
  }

  address(): ListenerAddress | undefined {
    return addressOf(this.#server);
  }

  async settled(options: Waiting): Promise<void> {
    const { exchanges, clock } = this.#context;
    const before = [...exchanges.open];
    while (before.some((exchange) => exchanges.open.has(exchange))) await clock.sleep(settlePollMs, options);
  }

  load(): { readonly bytes: number; readonly requests: number } {
    return { bytes: this.#context.inFlight.bytes, requests: this.#context.exchanges.open.size };
  }

  async run(signal: AbortSignal): Promise<void> {
    const leave = (): void => this.#cut();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    const sweeping = this.#sweep();
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

  /** No request waits for the log without end. */
  async #sweep(): Promise<void> {
    const { clock, exchanges } = this.#context;
    const signal = AbortSignal.any([this.#swept.signal, this.#leave.signal]);
    for (;;) {
      await clock.sleep(appendSweepMs, { signal }).catch(() => undefined);
      if (signal.aborted) return;
      const now = clock.monotonic();
      for (const exchange of exchanges.open) exchange.expire(now);
    }
  }

  async #listen(): Promise<void> {
    const { host, port } = this.#context.config;
    const onError = (error: Error): void => this.#ended.reject(error);
    try {
      await listen(this.#server, { host, port }, { name: 'ingest', onError });
    } catch (thrown) {
      this.#ended.resolve();
      throw thrown;
    }
  }

  /** D10: no new connection, no new request; what was accepted is stored and answered; what comes too late is cut. */
  async #finish(): Promise<void> {
    const { exchanges, clock, config, waiting } = this.#context;
    exchanges.closing = true;
    const empty = Promise.withResolvers<void>();
    exchanges.onEmpty = empty.resolve;
    if (exchanges.open.size === 0) empty.resolve();
    this.#server.close(() => this.#closed.resolve());
    this.#closeUnused();
    const finished = new AbortController();
    const patience = clock.sleep(config.drainBodyMs, { signal: AbortSignal.any([finished.signal, waiting.signal]) });
    const late = patience.then(
      () => this.#cutLate(empty.promise),
      () => undefined,
    );
    const done = empty.promise.then(() => this.#closeUnused()).then(() => this.#closed.promise);
    await Promise.race([done, this.#ended.promise]);
    finished.abort();
    await late;
    this.#ended.resolve();
  }

  /** Ends connections without a request: those that wait for the next one, and those that never sent any. */
  #closeUnused(): void {
    this.#server.closeIdleConnections();
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }

  async #cutLate(empty: Promise<void>): Promise<void> {
    for (const exchange of this.#context.exchanges.open) if (exchange.isReading) exchange.cut(problems.shutdown);
    await Promise.race([empty, this.#ended.promise]);
    this.#server.closeAllConnections();
  }

  /** Leaves at once: nothing is finished. */
  #cut(): void {
    if (this.#leave.signal.aborted) return;
    this.#context.exchanges.closing = true;
    this.#leave.abort();
    this.#server.close(() => this.#ended.resolve());
    this.#server.closeAllConnections();
  }
}
