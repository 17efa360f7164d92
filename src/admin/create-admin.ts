import { networkInterfaces } from 'node:os';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../core/limits.ts';
import { parseTrustedProxies } from '../core/sender-address.ts';
import type { Service } from '../core/service.ts';
import type { Waiting } from '../ports/event-log.ts';
import { endAfter, LatestExchanges } from '../listener/latest-exchanges.ts';
import { addressOf, listen, type ListenerAddress } from '../listener/listen.ts';
import { Pipelines } from '../listener/pipelines.ts';
import { AuditTrail } from './audit/audit-trail.ts';
import { removeOldEntries } from './audit/old-entries.ts';
import { endOrphanedEntries } from './audit/orphaned-entries.ts';
import type { AdminContext } from './admin-context.ts';
import type { AdminDependencies } from './dependencies.ts';
import { createAddresses } from './http/addresses.ts';
import { answers } from './http/answers.ts';
import { answerConnectionErrors } from './http/connection-errors.ts';
import { createApp } from './http/create-app.ts';
import { ApiDescription } from './openapi/api-description.ts';
import { removeExpiredTokens } from './operations/remove-expired-tokens.ts';
import { sweep, sweepBeside } from './operations/sweep.ts';
import { routeTable } from './routes/route-table.ts';
import { advertisedUrl } from './seat/advertised-url.ts';
import { FencedCatalog } from './seat/fenced-catalog.ts';
import { Seat } from './seat/seat.ts';
import { SeatKeeper } from './seat/seat-keeper.ts';
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
  /**
   * Resolves when operations are accepted here, because what the last holder of the seat left is put right, or by another process. Rejects
   * when that fails.
   */
  readonly ready: Promise<void>;
}

/** Makes the service; it does nothing before its start. `config.invalid` for a trusted proxy that is no address. */
export function createAdmin(dependencies: AdminDependencies): AdminService {
  return new Admin(dependencies);
}

/** Longer than whatever a process that lost the seat may still be at. */
const houseMs = 2 * limits.taskTimeoutMs;
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
  readonly #keeper: SeatKeeper;
  /** Of the tenure in which writes are accepted. */
  #accepting: AbortSignal | undefined;
  #started: Promise<void> | undefined;
  #drained: Promise<void> | undefined;

  constructor(dependencies: AdminDependencies) {
    const { catalog, clock, config } = dependencies;
    const seat = new Seat({ catalog, clock, owner: config.owner });
    this.#context = contextOf(dependencies, seat, () => this.#ownUrl());
    this.#keeper = this.#keeperOf(dependencies, seat);
    const app = createApp({
      context: this.#context,
      routes: routeTable,
      seat,
      acceptsWrites: () => this.#accepting?.aborted === false,
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
    this.#ended.promise.catch(() => undefined);
    this.#server.on('close', () => this.#ended.resolve());
  }

  get ready(): Promise<void> {
    return this.#keeper.ready;
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

  #keeperOf({ sinkLog, clock, telemetry, config }: AdminDependencies, seat: Seat): SeatKeeper {
    return new SeatKeeper({
      seat,
      log: sinkLog,
      clock,
      logger: telemetry.log,
      member: config.owner,
      url: () => config.advertisedUrl ?? this.#reachableUrl(),
      handoverMs: config.handoverMs,
      answers,
      hold: (tenure) => this.#hold(tenure),
      retire: () => this.#retire(),
    });
  }

  async #work(options: Waiting): Promise<void> {
    const keeping = this.#keeper.run(options);
    try {
      await Promise.all([this.#ended.promise, keeping]);
    } finally {
      this.#leave.abort();
      await Promise.allSettled([keeping]);
    }
  }

  /** Puts right what the last holder of the seat left, then accepts writes and keeps house until the seat is lost. */
  async #hold({ signal, accepting }: Waiting & { readonly accepting: () => void }): Promise<void> {
    this.#context.chores.clear();
    await sweep(this.#context, { signal });
    this.#accepting = signal;
    accepting();
    await Promise.all([this.#context.chores.run({ signal }), this.#keepHouse({ signal })]);
  }

  async #keepHouse({ signal }: Waiting): Promise<void> {
    const { clock, telemetry } = this.#context;
    for (let round = 0; !signal.aborted; round += 1) {
      try {
        if (round > 0) await sweepBeside(this.#context, { signal });
        await endOrphanedTasks(this.#context, { signal, olderThanMs: houseMs });
        await removeOldTasks(this.#context, { signal });
        await endOrphanedEntries(this.#context, { signal });
        await removeOldEntries(this.#context, { signal });
        await removeExpiredTokens(this.#context, { signal });
      } catch (thrown) {
        if (!signal.aborted) telemetry.log.warn({ err: thrown }, 'what was left over is not removed');
      }
      await clock.sleep(houseMs, { signal }).catch(() => undefined);
    }
  }

  /** What runs is finished and said to be. */
  async #retire(): Promise<void> {
    await this.#context.tasks.retire();
    await this.#context.audit.settled();
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

  /** D10: no new task, no new connection; what runs is finished, the seat is free, and what has not arrived by then is cut. */
  async #finish(): Promise<void> {
    await this.#context.tasks.drain();
    await this.#context.audit.settled();
    await this.#keeper.leave();
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
    this.#context.audit.stop();
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

  #reachableUrl(): string {
    const address = this.address();
    return address === undefined ? '' : advertisedUrl(address, networkInterfaces());
  }
}

function contextOf(dependencies: AdminDependencies, seat: Seat, ownUrl: () => string): AdminContext {
  const { clock, random, telemetry, config, rootTokenHash } = dependencies;
  const { projectId, publicAdminUrl, publicIngestUrl, owner, trustedProxies, version } = config;
  const { catalog: ownCatalog } = dependencies;
  const catalog = new FencedCatalog(ownCatalog, seat);
  const chores = new Chores({ clock, log: telemetry.log });
  const audit = new AuditTrail({ catalog, ownCatalog, clock, chores });
  const addresses = createAddresses({ projectId, admin: publicAdminUrl ?? ownUrl, ingest: publicIngestUrl });
  return {
    ...dependencies,
    catalog,
    ownCatalog,
    seat,
    addresses,
    description: new ApiDescription({ routes: routeTable, addresses, version }),
    definitions: new Definitions(catalog),
    tokens: new TokenStore({ catalog, random, projectId, rootTokenHash }),
    tasks: new TaskRunner({
      catalog: ownCatalog,
      seat,
      clock,
      random,
      telemetry,
      owner,
    }),
    chores,
    audit,
    proxies: parseTrustedProxies(trustedProxies),
  };
}
