import type { IncomingMessage, ServerResponse } from 'node:http';
import { isRebound } from '../../listener/rebound.ts';
import type { KnownNames } from '../../telemetry/labels.ts';
import { mergeMetrics } from '../../telemetry/metrics-snapshot.ts';
import type { Telemetry } from '../../telemetry/telemetry.ts';
import { ThreadSnapshots } from '../../telemetry/thread-snapshots.ts';
import { metricsNow } from './metrics-now.ts';
import type { ThreadService } from './thread-service.ts';

/** What keeps a process from being ready; empty when it is. */
type Hindrances = () => readonly string[];

export interface OpsOptions {
  readonly telemetry: Telemetry;
  readonly threads: () => readonly ThreadService[];
  readonly hindrances: Hindrances;
  /** Sources and sinks that there are; absent: the process has not looked yet. */
  readonly names?: () => KnownNames;
  /** The configured address of the process, under which a proxy passes requests on. */
  readonly publicUrl?: string | undefined;
}

type Handler = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Ops {
  readonly metrics: Handler;
  readonly live: Handler;
  readonly ready: Handler;
}

const threadAnswerMs = 2000;

/**
 * The operator's pages: metrics of all threads as one page, liveness, readiness with what is missing. They ask for no token,
 * so no page of a stranger may read them through a browser of this machine.
 */
export function createOps({ publicUrl, ...options }: OpsOptions): Ops {
  const known = publicUrl === undefined ? [] : [new URL(publicUrl).hostname];
  const guarded =
    (page: Handler): Handler =>
    async (request, response) =>
      isRebound(request, known) ? answer(response, 403, rebound) : page(request, response);
  const { metrics, live, ready } = pagesOf(options);
  return { metrics: guarded(metrics), live: guarded(live), ready: guarded(ready) };
}

const rebound = {
  error: 'forbidden',
  message: 'On this machine the page is shown under "localhost", an address, or the host of MILLRACE_PUBLIC_ADMIN_URL.',
};

function pagesOf({ telemetry, threads, hindrances, names }: OpsOptions): Ops {
  const snapshots = new ThreadSnapshots();
  return {
    metrics: async (_request, response) => {
      const signal = AbortSignal.timeout(threadAnswerMs);
      const others = await snapshots.take(threads(), { signal, known: names });
      const own = await metricsNow(telemetry, names);
      const page = await mergeMetrics([own, ...others]);
      response.writeHead(200, { 'Content-Type': page.contentType }).end(page.text);
    },
    live: async (_request, response) => {
      answer(response, 200, { status: 'live' });
    },
    ready: async (_request, response) => {
      const waiting = hindrances();
      if (waiting.length === 0) answer(response, 200, { status: 'ready' });
      else answer(response, 503, { status: 'not ready', waiting });
    },
  };
}

function answer(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(`${JSON.stringify(body)}\n`);
}
