import { messageOf } from '../../core/millrace-error.ts';
import { once } from 'node:events';
import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseJsonText } from '../../core/parse-json-text.ts';
import { RetryPacing } from '../../core/retry-pacing.ts';
import type { OutgoingEvent } from './outgoing-event.ts';

/** What became of one event. `unreachable`: nothing listens there, and the event is certainly not accepted. */
export type Sent =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface PostOptions {
  readonly url: string;
  /** By name; a name that was given several times has several values. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** How often an event is sent at most. */
  readonly tries: number;
  /** Keeps connections open between events. */
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

const retry = new RetryPacing({ firstMs: 100, capMs: 5000 }, Math.random);
const longestReasonCharacters = 300;

/** Sends one event; again, up to `tries` times, when the answer was lost or says that a later try may succeed. */
export async function postEvent(event: OutgoingEvent, options: PostOptions): Promise<Sent> {
  for (let attempt = 1; ; attempt += 1) {
    const { sent, retryAfterMs } = await postOnce(event, options);
    if (attempt >= options.tries || !mayHelp(sent)) return sent;
    const waitMs = Math.max(retryAfterMs, retry.pauseMs(attempt));
    await sleep(waitMs, undefined, { signal: options.signal });
  }
}

function mayHelp(sent: Sent): boolean {
  if (sent.kind === 'refused') return sent.status === 408 || sent.status === 429 || sent.status >= 500;
  return sent.kind !== 'accepted';
}

async function postOnce({ body }: OutgoingEvent, options: PostOptions): Promise<{ sent: Sent; retryAfterMs: number }> {
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
    return { sent: { kind: 'refused', status, reason: reasonOf(answer) }, retryAfterMs };
  } catch (thrown) {
    signal.throwIfAborted();
    return { sent: failureOf(thrown), retryAfterMs: 0 };
  }
}

/** Codes of a connection that was never made: the event has certainly not left this machine. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

function failureOf(thrown: unknown): Sent {
  const reason = messageOf(thrown);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return { kind: neverConnected.includes(code) ? 'unreachable' : 'unanswered', reason };
}

/** The message of an error body, else the start of the body. */
function reasonOf(text: string): string {
  try {
    const parsed: unknown = parseJsonText(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message);
  } catch {
    // A proxy's page or plain text: shown as it is.
  }
  return text.slice(0, longestReasonCharacters).trim();
}
