import { messageOf } from '../../core/millrace-error.ts';
import { once } from 'node:events';
import { request as httpRequest, type Agent, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { text } from 'node:stream/consumers';
import { readRefusal } from './read-refusal.ts';
import { sentInTheEnd, type Sent, type Tries, type Try } from './sent.ts';

export interface PostOptions extends Tries {
  readonly url: string;
  /** By name; a name that was given several times has several values. */
  readonly headers: Readonly<Record<string, readonly string[]>>;
  /** Also sends again what may have been stored, which then may be there twice, and what nobody listens to. */
  readonly doubles: boolean;
  /** Keeps connections open between requests. */
  readonly agent: Agent;
}

/**
 * Sends one body, again up to `tries` times when a later try may succeed: what was certainly not stored always, so that it is
 * there once; what may have been stored with `doubles` alone.
 */
export async function postBody(body: Uint8Array, options: PostOptions): Promise<Sent> {
  return sentInTheEnd(async () => {
    const { sent, retryAfterMs } = await postOnce(body, options);
    return { sent, retryAfterMs, mayBeSentAgain: mayBeSentAgain(sent, options.doubles) };
  }, options);
}

function mayBeSentAgain(sent: Sent, doubles: boolean): boolean {
  if (sent.kind === 'refused') return mayBeTakenLater(sent.status ?? 0);
  return sent.kind !== 'accepted' && doubles;
}

function mayBeTakenLater(status: number): boolean {
  return status === 408 || status === 429 || status >= 500;
}

async function postOnce(body: Uint8Array, options: PostOptions): Promise<Omit<Try, 'mayBeSentAgain'>> {
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
  if (mayBeStored) return { kind: 'unanswered', reason: `${status}: ${reason}` };
  return { kind: 'refused', status, isTooLarge: status === 413, reason };
}

/** Codes of a connection that was never made: the request has certainly not left this machine. */
const neverConnected = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'];

function failureOf(thrown: unknown): Sent {
  const reason = messageOf(thrown);
  const code = thrown instanceof Error && 'code' in thrown ? String(thrown.code) : '';
  return { kind: neverConnected.includes(code) ? 'unreachable' : 'unanswered', reason };
}
