import { NodeHttpHandler, type NodeHttpHandlerOptions } from '@smithy/node-http-handler';
import { assumedBytesPerSecond, assumedMs, finishMs, shortBytes } from './config.ts';
import { Patience } from './patience.ts';

type Request = Parameters<NodeHttpHandler['handle']>[0];
type Options = Parameters<NodeHttpHandler['handle']>[1];
type Answer = ReturnType<NodeHttpHandler['handle']>;

export interface LimitedTriesOptions extends NodeHttpHandlerOptions {
  /** What a try without content is assumed to take. Default: `assumedMs`. */
  readonly assumedMs?: number | undefined;
}

/**
 * The driver's connections, with a limit for each try by what it sends: when its answer is lost, the driver tries again on another
 * connection within the same call, soon. The end of an upload in parts has its own: a server may put the parts together first.
 */
export class LimitedTries extends NodeHttpHandler {
  readonly #assumedMs: number;
  readonly #short = new Patience();
  readonly #content = new Patience();
  readonly #finish = new Patience();

  constructor({ assumedMs: assumed = assumedMs, ...options }: LimitedTriesOptions) {
    super({ ...options, throwOnRequestTimeout: true });
    this.#assumedMs = assumed;
  }

  override async handle(request: Request, options: Options = {}): Answer {
    const { patience, assumed } = this.#kindOf(request);
    const began = performance.now();
    const limitMs = patience.limitMs(assumed, { attempt: attemptOf(request), now: began });
    try {
      const answer = await super.handle(request, { ...options, requestTimeout: limitMs });
      const now = performance.now();
      patience.answered(assumed, { tookMs: now - began, now });
      return answer;
    } catch (thrown) {
      const now = performance.now();
      if (now - began >= limitMs) patience.expired(assumed, { limitMs, now });
      throw thrown;
    }
  }

  /** Tries of one kind tell about each other only: a short one is quick on a line on which content is slow. */
  #kindOf({ method, query, headers }: Request): { readonly patience: Patience; readonly assumed: number } {
    if (method === 'POST' && query?.['uploadId'] !== undefined) return { patience: this.#finish, assumed: finishMs };
    const bytes = Number(headers['content-length'] ?? 0);
    const assumed = this.#assumedMs + (bytes / assumedBytesPerSecond) * 1000;
    return { patience: bytes < shortBytes ? this.#short : this.#content, assumed };
  }
}

/** Which try of its call a request is: the driver says so in a header, from 1 on. */
function attemptOf({ headers }: Request): number {
  return Number(/attempt=(\d+)/.exec(headers['amz-sdk-request'] ?? '')?.[1] ?? 1);
}
