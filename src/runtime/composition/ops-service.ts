import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { MillraceError } from '../../core/millrace-error.ts';
import type { Service } from '../../core/service.ts';
import type { Ops } from './ops-handlers.ts';
import type { Place } from './supervise-listener.ts';

/** The operator's pages of a process that does not serve the API: `/metrics`, `/health/live`, `/health/ready`. */
export class OpsService implements Service {
  readonly id = 'ops';
  readonly #place: Place;
  readonly #server: Server;
  readonly #leaving = new AbortController();

  constructor(ops: Ops, place: Place) {
    this.#place = place;
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
    const { host, port } = this.#place;
    try {
      this.#server.listen({ host, port });
      await once(this.#server, 'listening');
    } catch (thrown) {
      const message = `metrics and health cannot listen on ${host}:${port} (MILLRACE_OPS_HOST, MILLRACE_OPS_PORT)`;
      throw new MillraceError('config.invalid', message, { cause: thrown });
    }
  }

  /** Where it listens; undefined before. */
  address(): Place | undefined {
    const address = this.#server.address();
    return typeof address === 'object' && address !== null ? { host: address.address, port: address.port } : undefined;
  }

  async run(signal: AbortSignal): Promise<void> {
    const either = AbortSignal.any([signal, this.#leaving.signal]);
    if (!either.aborted) await once(either, 'abort');
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
