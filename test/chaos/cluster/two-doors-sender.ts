import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

/** An event that was sent once. Times are of `performance.now()`. */
export interface Posted {
  readonly startedAt: number;
  readonly endedAt: number;
  /** Undefined: no answer came. */
  readonly status: number | undefined;
}

/** What a client knows about its events; it never sends one again. */
export interface ClusterOracle {
  /** By number; an event whose request is under way is not here yet. */
  readonly posted: ReadonlyMap<number, Posted>;
  /** Numbers that were sent. */
  readonly sent: ReadonlySet<number>;
  /** Numbers that were answered with a 2xx. */
  readonly acknowledged: ReadonlySet<number>;
}

export interface TwoDoorsSender {
  readonly oracle: ClusterOracle;
  /** How many events each door has acknowledged. */
  readonly byDoor: readonly number[];
  /** The last answer of each door, for a person. */
  readonly lastAnswers: readonly string[];
  /** Resolves when every request has its answer or its error. */
  stop(): Promise<void>;
}

export interface TwoDoorsOptions {
  /** Address of the source at each ingest process. */
  readonly doors: readonly string[];
  readonly connections: number;
  /** Between two events of a connection. */
  readonly pauseMs: number;
}

/** Posts numbered events to all doors at the same time, without regard to what becomes of them. */
export function startTwoDoorsSender({ doors, connections, pauseMs }: TwoDoorsOptions): TwoDoorsSender {
  const posted = new Map<number, Posted>();
  const sent = new Set<number>();
  const acknowledged = new Set<number>();
  const byDoor = doors.map(() => 0);
  const lastAnswers = doors.map(() => 'none');
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const stopping = new AbortController();
  const lane = async (url: string, door: number): Promise<void> => {
    while (!stopping.signal.aborted) {
      const number = sent.size + 1;
      sent.add(number);
      const startedAt = performance.now();
      const { status, text } = await post(agent, url, number);
      lastAnswers[door] = `${status ?? 'no answer'} ${text} after ${Math.round(performance.now() - startedAt)} ms`;
      posted.set(number, { startedAt, endedAt: performance.now(), status });
      const isTaken = status !== undefined && status < 300;
      if (isTaken) {
        acknowledged.add(number);
        byDoor[door] = (byDoor[door] ?? 0) + 1;
      }
      await sleep(isTaken ? pauseMs : 100);
    }
  };
  const lanes = doors.flatMap((url, door) => Array.from({ length: connections }, () => lane(url, door)));
  return {
    oracle: { posted, sent, acknowledged },
    byDoor,
    lastAnswers,
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes);
      agent.destroy();
    },
  };
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

function post(agent: Agent, url: string, number: number): Promise<Answer> {
  const answered = Promise.withResolvers<Answer>();
  const none = (error: Error): void => answered.resolve({ status: undefined, text: error.message });
  const body = {
    n: number,
    text: `event "${number}"\r\nwith, all: that`,
    a: 'a',
    b: 'b',
    pad: 'x'.repeat(number % 700),
  };
  const headers = { 'Content-Type': 'application/json', 'X-Number': String(number) };
  const message = request(url, { method: 'POST', agent, headers });
  message.setTimeout(20_000, () => message.destroy(new Error('no answer')));
  message.on('response', (response) => {
    let text = '';
    response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
    response.on('end', () => answered.resolve({ status: response.statusCode, text }));
    response.on('error', none);
  });
  message.on('error', none);
  message.end(JSON.stringify(body));
  return answered.promise;
}
