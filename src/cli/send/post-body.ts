import { messageOf } from '../../core/millrace-error.ts';
import { once } from 'node:events';
import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { RetryPacing } from '../../core/retry-pacing.ts';
import { readRefusal } from './read-refusal.ts';

/**
 * What became of a request. `refused`: certainly nothing of it was stored. `unanswered`: nobody knows, as when the answer
 * was lost, or says so. `unreachable`: nothing listens there, and nothing of it was stored.
 */
export type Sent =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface PostOptions {
  readonly url: string;
  /** By name; a name that was given several times has several values. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** How often a request is sent at most. */
  readonly tries: number;
  /** Also sends again what may have been stored, which then may be there twice, and what nobody listens to. */
  readonly doubles: boolean;
  /** Keeps connections open between requests. */
  readonly agent: Agent;
  readonly signal: AbortSignal;
  /** Called when a request is about to wait, before it is sent again. */
  readonly onWait?: (sent: Sent) => void;
}

const retry = new RetryPacing({ firstMs: 100, capMs: 5000 }, Math.random);

/**
 * Sends one body, again up to `tries` times when a later try may succeed: what was certainly not stored always, so that it is
 * there once; what may have been stored with `doubles` alone.
 */
export async function postBody(body: Uint8Array, options: PostOptions): Promise<Sent> {
  for (let attempt = 1; ; attempt += 1) {
    const { sent, retryAfterMs } = await postOnce(body, options);
    if (attempt >= options.tries || !mayBeSentAgain(sent, options.doubles)) return sent;
    options.onWait?.(sent);
    const waitMs = Math.max(retryAfterMs, retry.pauseMs(attempt));
    await sleep(waitMs, undefined, { signal: options.signal });
  }
}

function mayBeSentAgain(sent: Sent, doubles: boolean): boolean {
  if (sent.kind === 'refused') return sent.status === 408 || sent.status === 429 || sent.status >= 500;
  return sent.kind !== 'accepted' && doubles;
}

async function postOnce(body: Uint8Array, options: PostOptions): Promise<{ sent: Sent; retryAfterMs: number }> {
  const { url, headers, agent, signal } = options;
  try {
    const call = url.startsWith('https:') ? httpsRequest : httpRequest;
    const request = call(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Length': body.length },
      agent,
      signal,
    });
    request.end(body);
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    const { statusCode: status = 0 } = response;
    const answer = await text(response);
    const retryAfterMs = Number(response.headers['retry-after'] ?? 0) * 1000 || 0;
    if (status >= 200 && status < 300) return { sent: { kind: 'accepted' }, retryAfterMs };
    return { sent: sentOf(status, answer), retryAfterMs };
  } catch (thrown) {
    signal.throwIfAborted();
    return { sent: failureOf(thrown), retryAfterMs: 0 };
  }
}

function sentOf(status: number, answer: string): Sent {
  const { reason, mayBeStored } = readRefusal(status, answer);
  return mayBeStored ? { kind: 'unanswered', reason: `${status}: ${reason}` } : { kind: 'refused', status, reason };
}

/** Codes of a connection that was never made: the request has certainly not left this machine. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

function failureOf(thrown: unknown): Sent {
  const reason = messageOf(thrown);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return { kind: neverConnected.includes(code) ? 'unreachable' : 'unanswered', reason };
}
