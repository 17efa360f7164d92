import { randomFillSync } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Clock } from '../../core/clock.ts';
import { MillraceError } from '../../core/millrace-error.ts';
import { parseTrustedProxies } from '../../core/sender-address.ts';
import type { Service } from '../../core/service.ts';
import type { EventLog } from '../../ports/event-log.ts';
import { answerConnectionError, answerTunnel } from './connection-errors.ts';
import { createCors } from './cors.ts';
import { createEventIds } from './event-id.ts';
import { InFlight } from './in-flight.ts';
import type { IngestConfig } from './ingest-config.ts';
import type { IngestContext } from './ingest-context.ts';
import type { IngestMetrics } from './ingest-metrics.ts';
import { Placement } from './placement.ts';
import { problems } from './problem.ts';
import { receive } from './reception.ts';
import type { SourceDirectory } from './source-directory.ts';
import { Targets } from './targets.ts';

export interface IngestDependencies {
  /** Source topics. */
  readonly log: Pick<EventLog, 'append'>;
  readonly sources: SourceDirectory;
  readonly clock: Clock;
  readonly telemetry: IngestMetrics;
  readonly config: IngestConfig;
}

export interface IngestAddress {
  readonly host: string;
  readonly port: number;
}

/** Takes events over HTTP and puts them into the log. */
export interface IngestService extends Service {
  /** Listens; `config.invalid` when host or port cannot be had. `run` does it when it was not called before. */
  start(): Promise<void>;
  /** Where it listens; undefined before the start. */
  address(): IngestAddress | undefined;
  /** Bytes of requests that are in memory, and how many requests these are. */
  load(): { readonly bytes: number; readonly requests: number };
}

/** Makes the service; it does nothing before its start. `config.invalid` for a trusted proxy that is no address. */
export function createIngest(dependencies: IngestDependencies): IngestService {
  return new HttpIngest(dependencies);
}

class HttpIngest implements IngestService {
  readonly id = 'ingest';
  readonly #leave = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #context: IngestContext;
  readonly #server: Server;
  #started: Promise<void> | undefined;
  #drained: Promise<void> | undefined;

  constructor({ log, sources, clock, telemetry, config }: IngestDependencies) {
    this.#context = {
      config,
      clock,
      log,
      telemetry,
      targets: new Targets(sources),
      placement: new Placement(),
      ids: createEventIds((words) => void randomFillSync(words)),
      inFlight: new InFlight(config.maxBufferedBytes),
      cors: createCors(config.corsOrigins),
      proxies: parseTrustedProxies(config.trustedProxies),
      waiting: { signal: this.#leave.signal },
      exchanges: { open: new Set(), closing: false, onEmpty: () => undefined },
    };
    this.#server = createListener(this.#context);
    this.#server.on('close', () => this.#ended.resolve());
  }

  start(): Promise<void> {
    this.#started ??= this.#listen();
    return this.#started;
  }

  address(): IngestAddress | undefined {
    const address = this.#server.address();
    return address === null || typeof address === 'string' ? undefined : hostAndPort(address);
  }

  load(): { readonly bytes: number; readonly requests: number } {
    return { bytes: this.#context.inFlight.bytes, requests: this.#context.exchanges.open.size };
  }

  async run(signal: AbortSignal): Promise<void> {
    const leave = (): void => this.#cut();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      if (!this.#leave.signal.aborted) await this.start();
      await this.#ended.promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  drain(): Promise<void> {
    this.#drained ??= this.#finish();
    return this.#drained;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cut();
    await this.#ended.promise;
  }

  async #listen(): Promise<void> {
    const { host, port } = this.#context.config;
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.#server.once('error', reject);
    this.#server.listen({ host, port }, resolve);
    try {
      await promise;
    } catch (error) {
      this.#ended.resolve();
      throw new MillraceError('config.invalid', `ingest cannot listen on ${host}:${port}: ${reasonOf(error)}`, {
        cause: error,
      });
    }
    this.#server.removeListener('error', reject);
    this.#server.on('error', (error) => this.#ended.reject(MillraceError.fromUnknown(error)));
  }

  /** D10: no new connection, no new request; what was accepted is stored and answered; late bodies are cut. */
  async #finish(): Promise<void> {
    const { exchanges, clock, config, waiting } = this.#context;
    exchanges.closing = true;
    this.#server.close();
    this.#server.closeIdleConnections();
    const received = new AbortController();
    const empty = Promise.withResolvers<void>();
    exchanges.onEmpty = empty.resolve;
    if (exchanges.open.size === 0) empty.resolve();
    const patience = clock.sleep(config.drainBodyMs, { signal: AbortSignal.any([received.signal, waiting.signal]) });
    const cutLate = patience.then(
      () => this.#cutReading(),
      () => undefined,
    );
    await empty.promise;
    received.abort();
    await cutLate;
    this.#server.closeIdleConnections();
    await this.#ended.promise;
  }

  #cutReading(): void {
    for (const exchange of this.#context.exchanges.open) if (exchange.isReading) exchange.cut(problems.shutdown);
  }

  /** Leaves at once: nothing is finished. */
  #cut(): void {
    if (this.#leave.signal.aborted) return;
    this.#context.exchanges.closing = true;
    this.#leave.abort();
    if (this.#started === undefined) this.#ended.resolve();
    this.#server.close(() => this.#ended.resolve());
    this.#server.closeAllConnections();
  }
}

function createListener(context: IngestContext): Server {
  const { config, telemetry } = context;
  const server = createServer({
    maxHeaderSize: config.maxHeaderBytes,
    requestTimeout: config.requestTimeoutMs,
    headersTimeout: Math.min(config.headersTimeoutMs, config.requestTimeoutMs),
    keepAliveTimeout: config.idleTimeoutMs,
    connectionsCheckingInterval: Math.max(10, Math.min(1_000, config.headersTimeoutMs / 4)),
    noDelay: true,
  });
  // The size of the headers bounds their number; Node's own limit would drop the rest without a word.
  server.maxHeadersCount = 0;
  server.maxConnections = config.maxConnections;
  // A client that does not read its answers is cut after this.
  server.timeout = 2 * config.requestTimeoutMs;
  server.on('request', (request, response) => receive(context, { request, response, expectsContinue: false }));
  server.on('checkContinue', (request, response) => receive(context, { request, response, expectsContinue: true }));
  server.on('clientError', (error, socket) => answerConnectionError(context, error, socket as Socket));
  server.on('connect', (_request, socket) => answerTunnel(context, socket));
  server.on('drop', () => telemetry.cut('connectionLimit'));
  return server;
}

function hostAndPort({ address, port }: AddressInfo): IngestAddress {
  return { host: address, port };
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'EADDRINUSE') return 'the port is taken by another process';
  if (code === 'EACCES') return 'the port needs rights that this process does not have';
  return error instanceof Error ? error.message : String(error);
}
