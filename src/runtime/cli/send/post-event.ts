import { setTimeout as sleep } from 'node:timers/promises';
import { backoffMs } from '../../../core/backoff.ts';
import type { OutgoingEvent } from './outgoing-event.ts';

/** What became of one event. `unreachable`: nothing listens there, and the event is certainly not accepted. */
export type Sent =
  | { readonly kind: 'accepted' }
  | { readonly kind: 'refused'; readonly status: number; readonly reason: string }
  | { readonly kind: 'unanswered'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

export interface PostOptions {
  readonly url: string;
  readonly headers: readonly (readonly [string, string])[];
  /** How often an event is sent at most. */
  readonly tries: number;
  readonly signal: AbortSignal;
}

const backoff = { firstMs: 100, capMs: 5000 };
const longestReasonCharacters = 300;

/** Sends one event; again, up to `tries` times, when the answer was lost or says that a later try may succeed. */
export async function postEvent(event: OutgoingEvent, options: PostOptions): Promise<Sent> {
  for (let attempt = 1; ; attempt += 1) {
    const { sent, retryAfterMs } = await postOnce(event, options);
    if (attempt >= options.tries || !mayHelp(sent)) return sent;
    const waitMs = Math.max(retryAfterMs, backoffMs(attempt, backoff, Math.random()));
    await sleep(waitMs, undefined, { signal: options.signal });
  }
}

function mayHelp(sent: Sent): boolean {
  if (sent.kind === 'refused') return sent.status === 408 || sent.status === 429 || sent.status >= 500;
  return sent.kind !== 'accepted';
}

async function postOnce({ body }: OutgoingEvent, options: PostOptions): Promise<{ sent: Sent; retryAfterMs: number }> {
  const { url, headers, signal } = options;
  try {
    const response = await fetch(url, { method: 'POST', headers: headers.map(([...pair]) => pair), body, signal });
    const text = await response.text();
    const retryAfterMs = Number(response.headers.get('retry-after') ?? 0) * 1000 || 0;
    if (response.ok) return { sent: { kind: 'accepted' }, retryAfterMs };
    return { sent: { kind: 'refused', status: response.status, reason: reasonOf(text) }, retryAfterMs };
  } catch (thrown) {
    signal.throwIfAborted();
    return { sent: failureOf(thrown), retryAfterMs: 0 };
  }
}

function failureOf(thrown: unknown): Sent {
  const cause = thrown instanceof Error && thrown.cause instanceof Error ? thrown.cause : undefined;
  const reason = cause?.message ?? (thrown instanceof Error ? thrown.message : String(thrown));
  const code = cause !== undefined && 'code' in cause ? String(cause.code) : '';
  const never = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code);
  return { kind: never ? 'unreachable' : 'unanswered', reason };
}

/** The message of an error body, else the start of the body. */
function reasonOf(text: string): string {
  try {
    const parsed: unknown = JSON.parse(text);
    if (typeof parsed === 'object' && parsed !== null && 'message' in parsed) return String(parsed.message);
  } catch {
    // A proxy's page or plain text: shown as it is.
  }
  return text.slice(0, longestReasonCharacters).trim();
}
