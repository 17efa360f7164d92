import { randomBytes } from 'node:crypto';
import type { ReceivedSpan } from './span-server.ts';

/** A trace as its first service tells the next one. */
export interface MadeTrace {
  readonly traceId: string;
  readonly spanId: string;
  /** W3C Trace Context. */
  readonly traceparent: string;
}

/** A trace that nobody had before; by its flags it is sampled. */
export function madeTrace(flags = '01'): MadeTrace {
  const [traceId, spanId] = [randomBytes(16).toString('hex'), randomBytes(8).toString('hex')];
  return { traceId, spanId, traceparent: `00-${traceId}-${spanId}-${flags}` };
}

/** Sends an event as a client would; answers the status. */
export async function post(url: string, body: string, headers: object): Promise<number> {
  const sent = { 'Content-Type': 'application/json', ...headers };
  const answer = await fetch(url, { method: 'POST', body, headers: sent });
  await answer.text();
  return answer.status;
}

export function namesOf(spans: readonly ReceivedSpan[]): readonly string[] {
  return spans.map(({ name }) => name).toSorted();
}
