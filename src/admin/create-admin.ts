import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../core/limits.ts';
import { parseTrustedProxies } from '../core/sender-address.ts';
import type { Service } from '../core/service.ts';
import { endAfter, LatestExchanges } from '../listener/latest-exchanges.ts';
import { addressOf, listen, type ListenerAddress } from '../listener/listen.ts';
import { Pipelines } from '../listener/pipelines.ts';
import type { AdminContext } from './admin-context.ts';
import type { AdminDependencies } from './dependencies.ts';
import { createAddresses } from './http/addresses.ts';
import { answerConnectionErrors } from './http/connection-errors.ts';
import { createApp } from './http/create-app.ts';
import { sweep } from './operations/sweep.ts';
import { routeTable } from './routes/route-table.ts';
import { Definitions } from './store/definitions.ts';
import { TokenStore } from './store/tokens.ts';
import { Chores } from './tasks/chores.ts';
import { endOrphanedTasks, removeOldTasks } from './tasks/old-tasks.ts';
import { TaskRunner } from './tasks/task-runner.ts';

/** Serves the management API. */
export interface AdminService extends Service {
  /** Listens; `config.invalid` when host or port cannot be had. `run` does it when it was not called before. */
  start(): Promise<void>;
  /** Where it listens; undefined before the start. */
  address(): ListenerAddress | undefined;
  /** Resolves when operations are accepted: what a dead process left is put right. Until then writes answer 503. Rejects when that fails. */
  readonly ready: Promise<void>;
}

/** Makes the service; it does nothing before its start. `config.invalid` for a trusted proxy that is no address. */
export function createAdmin(dependencies: AdminDependencies): AdminService {
  return new Admin(dependencies);
}

const hourMs = 3_600_000;
/** More than any house of people and programs needs, and few enough to leave ingest its share of what is open. */
const maxConnections = 5000;
/** How long a drain waits for requests that are still arriving. */
const patienceMs = 1000;
const serverLimits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 30_000,
  // `checkProtocol` looks, and says what is wrong.
  requireHostHeader: false,
};

class Admin implements AdminService {
  readonly id = 'admin';
  readonly #leave = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  readonly #context: AdminContext;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();
  readonly #latest = new LatestExchanges();
  #swept = false;
  readonly #ready = Promise.withResolvers<void>();
  #started: Promise<void> | undefined;
  #drained: Promise<void> | undefined;

  constructor(dependencies: AdminDependencies) {
    this.#context = contextOf(dependencies, () => this.#ownUrl());
    const app = createApp({
      context: this.#context,
      routes: routeTable,
      acceptsWrites: () => this.#swept,
      signal: this.#leave.signal,
    });
    const pipelines = new Pipelines();
    const serve = (request: IncomingMessage, response: ServerResponse): void => {
      this.#latest.note(request, response);
      pipelines.enter(request.socket, response);
      app(request, response);
    };
    this.#server = createServer(serverLimits, serve).on('checkContinue', serve).on('checkExpectation', serve);
    // The size of the headers bounds their number; Node's own limit would drop the rest without a word.
    this.#server.maxHeadersCount = 0;
    this.#server.maxConnections = maxConnections;
    // A client that stops reading a download gives its file back after this.
    this.#server.timeout = 600_000;
    this.#server.on('connection', (socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    answerConnectionErrors(this.#server, {
      latest: this.#latest,
      clock: dependencies.clock,
      signal: this.#leave.signal,
    });
    // A failure belongs to `run`; without one waiting it is no unhandled rejection.
    this.#ready.promise.catch(() => undefined);
    this.#ended.promise.catch(() => undefined);
    this.#server.on('close', () => this.#ended.resolve());
  }

  get ready(): Promise<void> {
    return this.#ready.promise;
  }

  start(): Promise<void> {
    this.#started ??= this.#listen();
    return this.#started;
  }

  address(): ListenerAddress | undefined {
    return addressOf(this.#server);
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
    await Promise.allSettled([this.#ended.promise]);
  }

  /** Puts right what a dead process left, then accepts writes and keeps house until the end. */
  async #work(options: { readonly signal: AbortSignal }): Promise<void> {
    await sweep(this.#context, options).catch((thrown: unknown) => {
      this.#ready.reject(thrown);
      throw thrown;
    });
    this.#swept = true;
    this.#ready.resolve();
    const house = Promise.all([this.#context.chores.run(options), this.#keepTasks(options)]);
    try {
      await this.#ended.promise;
    } finally {
      this.#leave.abort();
      await house;
    }
  }

  async #keepTasks({ signal }: { readonly signal: AbortSignal }): Promise<void> {
    const { clock, telemetry } = this.#context;
    while (!signal.aborted) {
      try {
        await endOrphanedTasks(this.#context, { signal, olderThanMs: 2 * limits.taskTimeoutMs });
        await removeOldTasks(this.#context, { signal });
      } catch (thrown) {
        if (!signal.aborted) telemetry.log.warn({ err: thrown }, 'old tasks not removed');
      }
      await clock.sleep(hourMs, { signal }).catch(() => undefined);
    }
  }

  async #listen(): Promise<void> {
    const { host, port } = this.#context.config;
    const onError = (error: Error): void => this.#ended.reject(error);
    try {
      await listen(this.#server, { host, port }, { name: 'the admin API', onError });
    } catch (thrown) {
      this.#ended.resolve();
      throw thrown;
    }
  }

  /** D10: no new task, no new connection; what runs is finished, and what has not arrived by then is cut. */
  async #finish(): Promise<void> {
    await this.#context.tasks.drain();
    this.#server.close();
    if (this.#started === undefined) this.#ended.resolve();
    const patience = this.#context.clock.sleep(patienceMs, { signal: this.#leave.signal });
    const closed = Promise.allSettled([this.#ended.promise]);
    await Promise.race([patience.catch(() => undefined), closed]);
    for (const socket of this.#sockets) this.#closeAnswered(socket);
    await this.#ended.promise;
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
    this.#context.tasks.stop();
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
    if (this.#started === undefined) this.#ended.resolve();
  }

  #ownUrl(): string {
    const address = this.address();
    if (address === undefined) return '';
    const host = address.host.includes(':') ? `[${address.host}]` : address.host;
    return `http://${host}:${address.port}`;
  }
}

function contextOf(dependencies: AdminDependencies, ownUrl: () => string): AdminContext {
  const { catalog, clock, random, telemetry, config, rootTokenHash } = dependencies;
  const { projectId, publicAdminUrl, publicIngestUrl, owner, trustedProxies } = config;
  return {
    ...dependencies,
    addresses: createAddresses({ projectId, admin: publicAdminUrl ?? ownUrl, ingest: publicIngestUrl }),
    definitions: new Definitions(catalog),
    tokens: new TokenStore({ catalog, random, projectId, rootTokenHash }),
    tasks: new TaskRunner({ catalog, clock, random, telemetry, owner }),
    chores: new Chores({ clock, log: telemetry.log }),
    proxies: parseTrustedProxies(trustedProxies),
  };
}
