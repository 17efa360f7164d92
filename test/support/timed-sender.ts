import { Agent, request } from 'node:http';

/** One event that was sent once, never again. Times are of `performance.now()`. */
export interface SentEvent {
  readonly number: number;
  readonly startedAt: number;
  readonly endedAt: number;
  /** Undefined: no answer came, and nobody knows what became of it. */
  readonly status: number | undefined;
  readonly retryAfter: string | undefined;
  readonly body: string;
}

export interface TimedSender {
  readonly events: readonly SentEvent[];
  /** Resolves when every request has its answer or its error. */
  stop(): Promise<readonly SentEvent[]>;
}

export interface SenderOptions {
  readonly url: string;
  readonly connections: number;
  /** Number of the first event. */
  readonly first?: number;
  /** Bytes that fill the body up. */
  readonly padBytes?: number;
  /** Each connection waits so long before its next event. */
  readonly pauseMs?: number;
}

/** Posts numbered events over keep-alive connections until it is stopped, and never resends one. */
export function startTimedSender({
  url,
  connections,
  first = 1,
  padBytes = 0,
  pauseMs = 0,
}: SenderOptions): TimedSender {
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const events: SentEvent[] = [];
  let number = first;
  const stopping = new AbortController();
  const lane = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const event = await postNumber({ url, agent, number: number++, padBytes });
      events.push(event);
      const isTaken = event.status !== undefined && event.status < 300;
      if (!isTaken || pauseMs > 0)
        await new Promise((resolve) => setTimeout(resolve, Math.max(pauseMs, isTaken ? 0 : 5)));
    }
  };
  const lanes = Array.from({ length: connections }, lane);
  return {
    events,
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes);
      agent.destroy();
      return events;
    },
  };
}

/** Posts one numbered event. */
export function postNumber({
  url,
  number,
  agent,
  padBytes = 0,
}: {
  readonly url: string;
  readonly number: number;
  readonly agent?: Agent;
  readonly padBytes?: number;
}): Promise<SentEvent> {
  const startedAt = performance.now();
  const answered = Promise.withResolvers<SentEvent>();
  const end = (status?: number, retryAfter?: string, body = ''): void =>
    answered.resolve({ number, startedAt, endedAt: performance.now(), status, retryAfter, body });
  const message = request(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    ...(agent === undefined ? {} : { agent }),
  });
  message.setTimeout(60_000, () => message.destroy(new Error('no answer')));
  message.on('response', (response) => {
    let body = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    response.on('end', () => end(response.statusCode, response.headers['retry-after'], body));
    response.on('error', () => end());
  });
  message.on('error', () => end());
  message.end(JSON.stringify({ n: number, pad: 'x'.repeat(padBytes) }));
  return answered.promise;
}

/** Events that were answered with a 2xx. */
export function taken(events: readonly SentEvent[]): readonly SentEvent[] {
  return events.filter(({ status }) => status !== undefined && status >= 200 && status < 300);
}
