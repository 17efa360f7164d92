import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { addressOf, listen } from '../../listener/listen.ts';
import type { Service } from '../../core/service.ts';
import type { Ops } from './ops-handlers.ts';
import type { Place } from './supervise-listener.ts';

/** The operator's pages of a process that does not serve the API: `/metrics`, `/health/live`, `/health/ready`. */
export class OpsService implements Service {
  readonly id = 'ops';
  readonly #place: Place;
  readonly #server: Server;
  readonly #leaving = new AbortController();
  readonly #failed = Promise.withResolvers<never>();

  constructor(ops: Ops, place: Place) {
    this.#place = place;
    this.#failed.promise.catch(() => undefined);
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
  }

  /** Listens; `config.invalid` when it cannot. */
  async start(): Promise<void> {
    const name = 'metrics and health (MILLRACE_OPS_HOST, MILLRACE_OPS_PORT)';
    await listen(this.#server, this.#place, { name, onError: (error) => this.#failed.reject(error) });
  }

  /** Where it listens; undefined before. */
  address(): Place | undefined {
    return addressOf(this.#server);
  }

  /** Listens unless it does already; rejects when the listener fails. */
  async run(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    if (!this.#server.listening) await this.start();
    if (!either.aborted) await Promise.race([once(either, 'abort'), this.#failed.promise]);
  }

  async drain(): Promise<void> {
    this.#leaving.abort();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#leaving.abort();
    if (!this.#server.listening) return;
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, 'close');
  }
}

function refuse(request: IncomingMessage, response: ServerResponse): void {
  request.resume();
  response.writeHead(404, { 'Content-Type': 'application/json' });
  response.end(`${JSON.stringify({ error: 'notFound', message: 'Pages: /metrics, /health/live, /health/ready.' })}\n`);
}
