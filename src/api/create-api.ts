import { networkInterfaces } from 'node:os';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { parseTrustedProxies } from '../core/sender-address.ts';
import type { Service } from '../core/service.ts';
import type { Waiting } from '../ports/waiting.ts';
import { endAfter, LatestExchanges } from '../listener/latest-exchanges.ts';
import { HttpListener } from '../listener/http-listener.ts';
import type { ListenerAddress } from '../listener/listen.ts';
import { Pipelines } from '../listener/pipelines.ts';
import { Upgrades } from '../listener/upgrades.ts';
import { Decoders } from '../events/encoding/decoders.ts';
import { Control } from '../control/control.ts';
import type { ApiDependencies } from './dependencies.ts';
import { createAddresses } from './addresses.ts';
import { answers } from './http/answers.ts';
import { answerConnectionErrors } from './http/connection-errors.ts';
import { createApp } from './http/create-app.ts';
import { ApiDescription } from './openapi/api-description.ts';
import { families, routesOf } from './routes/families.ts';
import { advertisedUrl } from '../control/seat/advertised-url.ts';

/** Serves the management API. */
export interface ApiService extends Service {
  /** Listens; `config.invalid` when host or port cannot be had. `run` does it when it was not called before. */
  start(): Promise<void>;
  /** Where it listens; undefined before the start. */
  address(): ListenerAddress | undefined;
  /**
   * Resolves when operations are accepted, here (once what the last holder of the seat left is put right) or by another
   * process. Rejects when that fails.
   */
  readonly ready: Promise<void>;
}

/** Makes the service; it does nothing before its start. `config.invalid` for a trusted proxy that is no address. */
export function createApi(dependencies: ApiDependencies): ApiService {
  return new Api(dependencies);
}

/** How long a drain waits for requests that are still arriving. */
const patienceMs = 1000;
const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  // `checkProtocol` looks, and says what is wrong.
  requireHostHeader: false,
};

class Api implements ApiService {
  readonly id = 'admin';
  readonly #leave = new AbortController();
  readonly #dependencies: ApiDependencies;
  readonly #control: Control;
  readonly #listener: HttpListener;
  readonly #latest = new LatestExchanges();
  #drained: Promise<void> | undefined;

  constructor(dependencies: ApiDependencies) {
    this.#dependencies = dependencies;
    const { clock, config, ops } = dependencies;
    const { projectId, publicAdminUrl, publicIngestUrl, trustedProxies, maxBodyBytes, version, advertisedUrl } = config;
    const admin = publicAdminUrl ?? (() => this.#ownUrl());
    const addresses = createAddresses({ projectId, admin, ingest: publicIngestUrl });
    const peers = { url: () => advertisedUrl ?? this.#reachableUrl(), answers };
    this.#control = new Control({ ...dependencies, addresses, peers });
    const routes = routesOf(families);
    const description = new ApiDescription({ routes, addresses, version });
    const ingestRules = { proxies: parseTrustedProxies(trustedProxies), maxBodyBytes, decoders: new Decoders() };
    const app = createApp({
      context: { ...this.#control.parts, addresses, description, ingestRules, version },
      control: this.#control,
      routes,
      ops,
      corsOrigins: config.corsOrigins,
      signal: this.#leave.signal,
      takeLong: (request) => this.#latest.takeLong(request),
    });
    const pipelines = new Pipelines();
    const upgrades = new Upgrades();
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      if (!upgrades.admit(request, response)) return;
      this.#latest.note(request, response);
      pipelines.enter(request.socket, response);
      app(request, response);
    };
    const server = createServer(serverLimits, serve).on('checkContinue', serve).on('checkExpectation', serve);
    // The size of the headers bounds their number; Node's own limit would drop the rest without a word.
    server.maxHeadersCount = 0;
    server.maxConnections = config.maxConnections;
    // A client that stops reading a download gives its file back after this.
    server.timeout = 600_000;
    this.#listener = new HttpListener(server, { host: config.host, port: config.port, name: 'the admin API' });
    answerConnectionErrors(server, {
      latest: this.#latest,
      clock,
      signal: this.#leave.signal,
    });
  }

  get ready(): Promise<void> {
    return this.#control.ready;
  }

  start(): Promise<void> {
    return this.#listener.start();
  }

  address(): ListenerAddress | undefined {
    return this.#listener.address();
  }

  async run(signal: AbortSignal): Promise<void> {
    const leave = (): void => this.#cut();
    if (signal.aborted) leave();
    signal.addEventListener('abort', leave, { once: true });
    try {
      if (this.#leave.signal.aborted) return;
      await this.start();
      await this.#work({ signal: this.#leave.signal });
    } catch (thrown) {
      if (!this.#leave.signal.aborted || thrown !== this.#leave.signal.reason) throw thrown;
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
    await Promise.allSettled([this.#listener.ended]);
  }

  async #work(options: Waiting): Promise<void> {
    const keeping = this.#control.run(options);
    try {
      await Promise.all([this.#listener.ended, keeping]);
    } finally {
      this.#leave.abort();
      await Promise.allSettled([keeping]);
    }
  }

  /** D10: no new task, no new connection; what runs is finished, the seat is free, and what has not arrived by then is cut. */
  async #finish(): Promise<void> {
    await this.#control.drain();
    this.#listener.close();
    const patience = this.#dependencies.clock.sleep(patienceMs, { signal: this.#leave.signal });
    const closed = Promise.allSettled([this.#listener.ended]);
    await Promise.race([patience.catch(() => undefined), closed]);
    for (const socket of this.#listener.sockets) this.#closeAnswered(socket);
    await this.#listener.ended;
    this.#leave.abort();
  }

  /** Nobody looks after the time of requests any more once a server is closed. */
  #closeAnswered(socket: Socket): void {
    const state = this.#latest.stateOf(socket);
    if (state.kind === 'answering') endAfter(socket, state.response);
    else socket.destroy();
  }

  #cut(): void {
    this.#leave.abort();
    this.#control.stop();
    this.#listener.close();
    for (const socket of this.#listener.sockets) socket.destroy();
  }

  #ownUrl(): string {
    const address = this.address();
    if (address === undefined) return '';
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    return `http://${host}:${address.port}`;
  }

  #reachableUrl(): string {
    const address = this.address();
    return address === undefined ? '' : advertisedUrl(address, networkInterfaces());
  }
}
