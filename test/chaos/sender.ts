import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { chaosEvent, type ChaosEvent, type Door } from './event.ts';
import { isTaken, Oracle } from './oracle.ts';

export interface SendAnswer {
  readonly status: number | undefined;
  /** For a person. */
  readonly text: string;
}

/** A way in. Answers what it was told, and never sends again. */
export type Send = (event: ChaosEvent) => Promise<SendAnswer>;

export interface SenderOptions {
  /** Address to post to, by name: each has connections of its own. */
  readonly urls: Readonly<Record<string, string>>;
  /** How the events go in that a producer appends. */
  readonly produce: Send;
  /** To each address. */
  readonly connections: number;
  /** Events that the producer has under way at a time; default: half of the connections. */
  readonly producers?: number;
  /** Between two events of a connection. */
  readonly pauseMs: number;
}

export interface Sender {
  readonly oracle: Oracle;
  /** How many events each address, and the producer, has acknowledged. */
  readonly taken: Readonly<Record<string, number>>;
  /** The last answer of each, for a person. */
  readonly lastAnswers: Readonly<Record<string, string>>;
  /** Resolves when every event has its answer or its error. */
  stop(): Promise<Oracle>;
}

const producerLane = 'producer';
/** So that senders leave the processor to a process that starts. */
const afterRefusalMs = 50;

/** Sends numbered events without pause, whatever becomes of them: what failed is forgotten. */
export function startSender({
  urls,
  produce,
  connections,
  producers = Math.ceil(connections / 2),
  pauseMs,
}: SenderOptions): Sender {
  const oracle = new Oracle();
  const taken = Object.fromEntries([...Object.keys(urls), producerLane].map((name) => [name, 0]));
  const lastAnswers: Record<string, string> = {};
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const stopping = new AbortController();
  const waiting: Record<Door, ChaosEvent[]> = { http: [], producer: [] };
  /** Numbers are given in order, to whichever way their event goes. */
  const take = (door: Door): ChaosEvent => {
    for (;;) {
      const [found] = waiting[door].splice(0, 1);
      if (found !== undefined) return found;
      const event = chaosEvent(oracle.next());
      waiting[event.door].push(event);
    }
  };
  const lane = async (name: string, door: Door, send: Send): Promise<void> => {
    while (!stopping.signal.aborted) {
      if (door === 'producer' && waiting.producer.length === 0) {
        await sleep(5);
        continue;
      }
      const event = take(door);
      const startedAt = performance.now();
      const { status, text } = await send(event);
      const endedAt = performance.now();
      oracle.note(event.number, { startedAt, endedAt, status, ...(isTaken(status) ? {} : { told: text }) });
      lastAnswers[name] = `${status ?? 'no answer'} ${text} after ${Math.round(endedAt - startedAt)} ms`;
      if (isTaken(status)) taken[name] = (taken[name] ?? 0) + 1;
      await sleep(isTaken(status) ? pauseMs : Math.max(pauseMs, afterRefusalMs));
    }
  };
  const lanes = Object.entries(urls).flatMap(([name, url]) =>
    Array.from({ length: connections }, () => lane(name, 'http', (event) => post(agent, url, event))),
  );
  const producing = Array.from({ length: producers }, () => lane(producerLane, 'producer', produce));
  return {
    oracle,
    taken,
    lastAnswers,
    stop: async () => {
      stopping.abort();
      await Promise.all([...lanes, ...producing]);
      agent.destroy();
      return oracle;
    },
  };
}

/** What is posted. */
export interface Posting {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

const patienceMs = 30_000;

/** Posts over a kept connection; an answer that does not come is none. */
export function post(agent: Agent, url: string, { headers, body }: Posting): Promise<SendAnswer> {
  const answered = Promise.withResolvers<SendAnswer>();
  const none = (error: Error): void => answered.resolve({ status: undefined, text: error.message });
  const message = request(url, { method: 'POST', agent, headers });
  message.setTimeout(patienceMs, () => message.destroy(new Error('no answer')));
  message.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('end', () => answered.resolve({ status: response.statusCode, text }));
    response.on('error', none);
  });
  message.on('error', none);
  message.end(body);
  return answered.promise;
}
