import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCluster, whyNoCluster, type Cluster } from '../support/cluster.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { lastingPort } from '../support/free-port.ts';
import { rootToken } from '../support/installation.ts';
import { isLong } from '../support/long-tests.ts';
import type { ProductProcess } from '../support/process.ts';
import { Shop } from '../support/shop.ts';
import { postNumber, taken, type SentEvent } from '../support/timed-sender.ts';

const missing = await whyNoCluster();
if (missing !== undefined) console.warn(`skipped, ${missing}`);

/** Roles of each pair of processes. In the short form all but the doors are together: each process is started twice. */
const spread = isLong ? ['admin', 'ingest', 'map', 'stage,import'] : ['ingest', 'admin,map,stage,import'];

/** A process under an address of its own, and the times in which it was asked to leave and not yet back. */
interface Seat {
  readonly roles: string;
  readonly env: Readonly<Record<string, string>>;
  readonly away: { readonly from: number; to: number }[];
  process: ProductProcess;
}

/** An answer of one ingest process. */
interface Answer extends SentEvent {
  readonly door: number;
}

interface Client {
  /** Every answer, also those after which the event went to the other process. */
  readonly answers: readonly Answer[];
  /** The last answer of each event. */
  readonly events: readonly SentEvent[];
  stop(): Promise<void>;
}

/** Posts numbered events to both doors; an event that one door refuses goes to the other one, and so do the next. */
function startClient(doors: readonly [string, string]): Client {
  const agent = new Agent({ keepAlive: true, maxSockets: 4 });
  const answers: Answer[] = [];
  const events: SentEvent[] = [];
  const stopping = new AbortController();
  let number = 0;
  const post = async (door: number, event: number): Promise<Answer> => {
    const answer = { ...(await postNumber({ url: doors[door] ?? '', number: event, agent })), door };
    answers.push(answer);
    return answer;
  };
  const lane = async (first: number): Promise<void> => {
    for (let door = first; !stopping.signal.aborted;) {
      const event = ++number;
      let answer = await post(door, event);
      if (answer.status !== undefined && answer.status >= 300) answer = await post(1 - door, event);
      if (answer.status === undefined) door = 1 - door;
      else door = answer.door;
      events.push(answer);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  };
  const lanes = [0, 1, 0, 1].map((door) => lane(door));
  return {
    answers,
    events,
    stop: async () => {
      stopping.abort();
      await Promise.all(lanes);
      agent.destroy();
    },
  };
}

/** The first event that this door takes: a process knows a source that was just made as soon as its replica has it. */
async function firstTaken(url: string, number: number): Promise<SentEvent> {
  let event = await postNumber({ url, number });
  await eventually(async () => {
    if (event.status === 404) event = await postNumber({ url, number });
    expect(event.status).not.toBe(404);
  });
  return event;
}

describe.skipIf(missing !== undefined)('a rolling restart of a cluster under load', () => {
  let cluster: Cluster;

  beforeAll(async () => {
    cluster = await openCluster();
  });

  afterAll(async () => {
    await cluster[Symbol.asyncDispose]();
  });

  async function takeSeat(roles: string): Promise<Seat> {
    const ingestPort = String(await lastingPort());
    const env = {
      MILLRACE_ADMIN_PORT: String(await lastingPort()),
      MILLRACE_INGEST_PORT: ingestPort,
      MILLRACE_PUBLIC_INGEST_URL: `http://127.0.0.1:${ingestPort}`,
      MILLRACE_PARTITIONS: '2',
    };
    return { roles, env, away: [], process: await cluster.start(roles, env) };
  }

  /** As an orchestrator does it: the process leaves, the next one takes its address. */
  async function restart(seat: Seat): Promise<void> {
    const away = { from: performance.now(), to: Number.POSITIVE_INFINITY };
    seat.away.push(away);
    seat.process.kill('SIGTERM');
    expect(await seat.process.ended, `how ${seat.roles} left`).toBe('0');
    seat.process = await cluster.start(seat.roles, seat.env);
    away.to = performance.now();
  }

  it('D2, D3, D10: nobody is refused but by a process that leaves, and nothing is lost or doubled', async () => {
    const seats: Seat[] = [];
    for (const roles of spread) {
      seats.push(...(await Promise.all([takeSeat(roles), takeSeat(roles)])));
    }
    const [one, other] = seats.filter(({ roles }) => roles === 'ingest');
    const admin = seats.find(({ roles }) => roles.startsWith('admin'));
    if (one === undefined || other === undefined || admin === undefined) throw new Error('a seat is missing');
    const shop = new Shop({ url: admin.process.admin, token: rootToken });
    const sinks = ['first', 'second'].map((sinkId) => ({ sinkId, tableId: `in.c-shop.${sinkId}` }));
    await shop.create(sinks, { uploadCount: 100 });
    const { pathname } = new URL(await shop.url());
    const doors = [`${one.process.ingest}${pathname}`, `${other.process.ingest}${pathname}`] as const;
    const first = await Promise.all(doors.map((url, door) => firstTaken(url, 1_000_000 + door)));
    const client = startClient(doors);
    for (const seat of seats) {
      await restart(seat);
      const goal = client.events.length + 20;
      await eventually(() => expect(client.events.length).toBeGreaterThan(goal));
    }
    await client.stop();
    const refusals = client.answers.filter(({ status }) => status === undefined || status >= 300);
    const unexpected = refusals.filter(
      ({ door, startedAt, endedAt }) =>
        !([one, other][door]?.away ?? []).some(({ from, to }) => endedAt >= from && startedAt <= to),
    );
    expect(unexpected, 'requests that were refused by a process that nobody had asked to leave').toEqual([]);
    const events = [...first, ...client.events];
    expect(
      events.filter(({ status }) => status !== undefined && status >= 300),
      'events that both refused',
    ).toEqual([]);
    expect(taken(events).length).toBeGreaterThan(100);
    for (const { sinkId, tableId } of sinks) {
      await shop.flush(sinkId);
      const rows = await shop.numbersIn(tableId);
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress(sinkId), rows.length);
    }
  }, 900_000);
});
