import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HttpListener } from '../../listener/http-listener.ts';
import type { Service } from '../../core/service.ts';
import type { Ops } from './ops-handlers.ts';
import type { Place } from './supervise-listener.ts';

/** Where it listens, and how many connections it takes at a time; more are closed at once (D8). */
export interface OpsPlace extends Place {
  readonly maxConnections: number;
}

/** The operator's pages of a process that does not serve the API: `/metrics`, `/health/live`, `/health/ready`. */
export class OpsService implements Service {
  readonly id = 'ops';
  readonly #server: Server;
  readonly #leaving = new AbortController();
  readonly #listener: HttpListener;

  constructor(ops: Ops, { maxConnections, ...place }: OpsPlace) {
    const pages = new Map([
      ['/metrics', ops.metrics],
      ['/health/live', ops.live],
      ['/health/ready', ops.ready],
    ]);
    this.#server = createServer((request, response) => {
      const page = pages.get(request.url?.split('?')[0] ?? '');
      if (page === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) refuse(request, response);
      else page(request, response).catch(() => response.destroy());
    });
    this.#server.maxConnections = maxConnections;
    const name = 'metrics and health (MILLRACE_OPS_HOST, MILLRACE_OPS_PORT)';
    this.#listener = new HttpListener(this.#server, { ...place, name });
  }

  /** Listens; `config.invalid` when it cannot. */
  start(): Promise<void> {
    return this.#listener.start();
  }

  /** Where it listens; undefined before. */
  address(): Place | undefined {
    return this.#listener.address();
  }

  /** Listens unless it does already; rejects when the listener fails. */
  async run(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    await this.start();
    if (!either.aborted) await Promise.race([once(either, 'abort'), this.#listener.ended]);
  }

  async drain(): Promise<void> {
    this.#leaving.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    this.#server.closeAllConnections();
    this.#listener.close();
    await Promise.allSettled([this.#listener.ended]);
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(404, { 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify({ error: 'notFound', message: 'Pages: /metrics, /health/live, /health/ready.' })}\n`);
}
