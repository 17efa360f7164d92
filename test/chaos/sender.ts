import { Agent, request } from 'node:http';

/** What a client knows about the events that it sent once each, never again. */
export interface Oracle {
  /** Numbers of events that were answered with a 2xx. */
  readonly acknowledged: ReadonlySet<number>;
  /** Numbers of events that were sent: each may be in a table, none that is not here may. */
  readonly sent: ReadonlySet<number>;
}

export interface Sender {
  readonly oracle: Oracle;
  /** Resolves when every request has its answer or its error. */
  stop(): Promise<void>;
}

/**
 * Posts numbered events without pause over `connections` connections, and notes each answer. It never resends: an event
 * whose request failed is forgotten, whatever became of it.
 */
export function startSender({ url, connections }: { readonly url: string; readonly connections: number }): Sender {
  const acknowledged = new Set<number>();
  const sent = new Set<number>();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const stopping = new AbortController();
  const lane = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const number = sent.size + 1;
      sent.add(number);
      const status = await post(agent, url, number);
      if (status !== undefined && status >= 200 && status < 300) acknowledged.add(number);
      else await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };
  const lanes = Array.from({ length: connections }, lane);
  return {
    oracle: { acknowledged, sent },
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes);
      agent.destroy();
    },
  };
}

function post(agent: Agent, url: string, number: number): Promise<number | undefined> {
  const answered = Promise.withResolvers<number | undefined>();
  const body = JSON.stringify({
    n: number,
    text: `event "${number}"\r\nwith, all: that`,
    pad: 'x'.repeat(number % 700),
  });
  const message = request(url, {
    method: 'POST',
    agent,
    headers: { 'Content-Type': 'application/json', 'X-Number': String(number) },
  });
  message.setTimeout(60_000, () => message.destroy(new Error('no answer')));
  message.on('response', (response) => {
    response.resume();
    response.on('end', () => answered.resolve(response.statusCode));
    response.on('error', () => answered.resolve(undefined));
  });
  message.on('error', () => answered.resolve(undefined));
  message.end(body);
  return answered.promise;
}
