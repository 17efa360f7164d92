import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { eventually } from '../support/eventually.ts';
import { Installation } from '../support/installation.ts';
import { isLong } from '../support/long-tests.ts';
import { logsRequest, namedRequest } from '../support/otlp-messages.ts';
import type { Shop } from '../support/shop.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start({ env: { MILLRACE_PARTITIONS: '2' } });
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

type Row = Readonly<Record<string, string>>;

interface Traced {
  readonly eventId: string;
  readonly sinks: readonly {
    readonly sinkId: string;
    readonly state: string;
    readonly text: string;
    readonly import?: { readonly number: number };
    readonly deadLetter?: { readonly inTable: boolean };
    readonly replay?: { readonly import?: { readonly number: number } };
  }[];
}

const id = { type: 'uuid', name: 'id' };
const path = (name: string, rest: object = {}) => ({ type: 'path', name, path: name, rawString: true, ...rest });

/** Each event that is in a table once a sink has delivered everything: by its id, what each sink made of it. */
async function tableOf(shop: Shop, tableId: string): Promise<ReadonlySet<string>> {
  const ids = (await shop.api.rows(tableId)).map((row) => String(row['id']));
  expect(new Set(ids).size, `D3: ${tableId} has each event once`).toBe(ids.length);
  return new Set(ids);
}

async function lettersOf(shop: Shop, sinkId: string): Promise<ReadonlySet<string>> {
  const { incarnation } = await shop.progress(sinkId);
  const all = (await shop.api.rows('sys.c-millrace.dead_letters')) as readonly Row[];
  return new Set(all.filter((row) => row['incarnation'] === String(incarnation)).map((row) => String(row['event_id'])));
}

/** Sends events and kills the process in the middle; each is sent until it is answered. */
async function sendAndKill(shop: Shop, numbers: readonly number[], killed: () => Promise<void>): Promise<void> {
  const url = await shop.url();
  const waiting = [...numbers];
  let isKilled = false;
  const send = async (): Promise<void> => {
    for (let n = waiting.pop(); n !== undefined; n = waiting.pop()) {
      if (!isKilled && waiting.length < numbers.length / 2) {
        isKilled = true;
        await installation.stop('SIGKILL');
        await killed();
        await installation.start();
      }
      const body = n % 7 === 0 ? `{"m":${n}}` : `{"n":"${n}"}`;
      const init = { method: 'POST', body, headers: { 'Content-Type': 'application/json' } };
      const status = await fetch(url, init).then(
        async (answer) => (await answer.text(), answer.status),
        () => 0,
      );
      if (status === 200) continue;
      waiting.push(n);
      // So that senders leave the processor to a process that starts.
      await sleep(20);
    }
  };
  await Promise.all(Array.from({ length: 8 }, send));
}

/** Requests of a Collector that writes to the topic itself, while no process works on the folder. */
async function appendPacked(): Promise<void> {
  const folder = join(installation.folder, 'log', 'sources');
  await using log = await openLmdbEventLog({ path: folder, instance: 'collector', first: true, clock: systemClock });
  const records = Array.from({ length: 10 }, (_, at) => ({
    value: logsRequest(1 + (at % 4)),
    headers: ['millrace-signal', 'logs'],
    timestamp: Date.now(),
  }));
  await log.append({ topic: 'source.1.tele', partition: 0 }, records, { signal: AbortSignal.timeout(10_000) });
}

function range(from: number, length: number): readonly number[] {
  return Array.from({ length }, (_, at) => from + at);
}

function someOf<Item>(items: Iterable<Item>, count: number): readonly Item[] {
  const left = [...items];
  const taken: Item[] = [];
  while (taken.length < count && left.length > 0)
    taken.push(...left.splice(Math.floor(Math.random() * left.length), 1));
  return taken;
}

async function traced(shop: Shop, ids: readonly string[]): Promise<readonly Traced[]> {
  const all: Traced[] = [];
  const left = [...ids];
  const ask = async (): Promise<void> => {
    for (let eventId = left.pop(); eventId !== undefined; eventId = left.pop()) {
      const { events } = await shop.api.call<{ events: Traced[] }>('GET', `${shop.path}/trace?eventId=${eventId}`);
      expect(events.map((event) => event.eventId)).toEqual([eventId]);
      all.push(...events);
    }
  };
  await Promise.all(Array.from({ length: 4 }, ask));
  return all;
}

const stateOf = ({ sinks }: Traced, wanted: string): string | undefined =>
  sinks.find(({ sinkId }) => sinkId === wanted)?.state;

/** The column `n` of the sink `mended`: it refuses all events, those that have one of the other kind, or none. */
const mending = {
  broken: { type: 'path', name: 'n', path: 'nowhere' },
  half: path('n'),
  whole: path('n', { defaultValue: '-' }),
} as const;

async function mend(shop: Shop, column: object): Promise<void> {
  const mapping = { columns: [id, column] };
  await shop.api.task('PATCH', shop.sink('mended'), { table: { tableId: 'in.c-shop.mended', mapping } });
}

/** Has dead letters replayed; kills the process while it is at it. */
async function replayAndKill(shop: Shop, order: object): Promise<void> {
  const url = `${shop.sink('mended')}/dead-letters/replay`;
  await shop.api.call('POST', url, order);
  await installation.stop('SIGKILL');
  await installation.start();
  await eventually(async () => {
    const { replay } = await installation.shop('shop').api.call<{ replay: { state: string } }>('GET', url);
    expect(replay.state).toBe('done');
  });
}

const nothing = async (): Promise<void> => undefined;

/** In the long form as many as the title says. */
const asked = isLong ? 1000 : 200;

it('W6: trace finds each of 1,000 random events of a crash test in the state in which the tables show it', async () => {
  const shop = installation.shop('shop');
  const plain = [path('n', { defaultValue: '-' })];
  await shop.create([
    { sinkId: 'all', tableId: 'in.c-shop.all', columns: [id, { type: 'body', name: 'body' }] },
    { sinkId: 'strict', tableId: 'in.c-shop.strict', columns: [id, path('n')] },
    { sinkId: 'plain', tableId: 'in.c-shop.plain', columns: plain },
    { sinkId: 'mended', tableId: 'in.c-shop.mended', columns: [id, mending.broken] },
    { sinkId: 'switched', tableId: 'in.c-shop.switched', columns: [id] },
  ]);
  const tele = installation.shop('tele');
  await tele.create([], {}, 'otlp');
  const odd = 'if std.parseInt(Body("body")) % 2 == 0 then error "even" else "odd"';
  const template = { type: 'template', name: 'odd', rawString: true, template: { language: 'jsonnet', content: odd } };
  for (const [sinkId, allowedSignals, columns] of [
    ['logs', ['logs'], [id]],
    ['odd', ['logs'], [id, template]],
    ['spans', ['traces'], [id]],
    ['everything', [], [id]],
  ] as const) {
    const table = { tableId: `in.c-tele.${sinkId}`, mapping: { columns } };
    await tele.api.task('POST', `${tele.path}/sinks`, { name: sinkId, sinkId, allowedSignals, table });
  }

  await sendAndKill(shop, range(0, 400), appendPacked);
  await shop.api.task('PUT', `${shop.sink('switched')}/disable`);
  await sendAndKill(shop, range(1000, 400), nothing);
  // Some letters become rows, some are refused again, and some are never asked for.
  await shop.flush('mended');
  const everDead = new Set(await lettersOf(shop, 'mended'));
  await mend(shop, mending.whole);
  await replayAndKill(shop, { limit: 300 });
  await mend(shop, mending.half);
  await shop.api.task('PUT', `${shop.sink('switched')}/enable`);
  await shop.createSink({ sinkId: 'later', tableId: 'in.c-shop.later', columns: [id] });
  await sendAndKill(shop, range(2000, 400), appendPacked);
  await shop.flush('mended');
  for (const eventId of await lettersOf(shop, 'mended')) everDead.add(eventId);
  await replayAndKill(shop, {});
  await mend(shop, mending.broken);
  await sendAndKill(shop, range(3000, 300), appendPacked);
  const { otlp } = await tele.api.call<{ otlp: { url: string; secret: string } }>('GET', tele.path);
  const spans = await fetch(`${otlp.url}/v1/traces`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-protobuf', Authorization: `Bearer ${otlp.secret}` },
    body: namedRequest('traces', ['a', 'b', 'c']),
  });
  expect(spans.status).toBe(200);

  // While it is on its way, what is told is between what the tables show before and behind it.
  const before = await tableOf(shop, 'in.c-shop.strict');
  const recent = await shop.api.call<{ events: readonly { eventId: string }[] }>('GET', `${shop.path}/events?limit=60`);
  const onTheirWay = await traced(
    shop,
    recent.events.map(({ eventId }) => eventId),
  );
  const behind = await tableOf(shop, 'in.c-shop.strict');
  const isTrue = (event: Traced): boolean => {
    const state = stateOf(event, 'strict');
    if (state === 'row') return behind.has(event.eventId);
    return state === 'dead' || !before.has(event.eventId);
  };
  expect(onTheirWay.filter((event) => !isTrue(event))).toEqual([]);

  const sinks = {
    shop: ['all', 'strict', 'mended', 'plain', 'switched', 'later'],
    tele: ['logs', 'odd', 'spans', 'everything'],
  };
  for (const sinkId of sinks.shop) await shop.flush(sinkId);
  for (const sinkId of sinks.tele) await tele.flush(sinkId);
  for (const sinkId of sinks.shop)
    expect(await shop.progress(sinkId)).toMatchObject({
      delivered: true,
      totals: { difference: 0, givenUp: 0, holes: 0 },
    });

  const rows = {
    all: await tableOf(shop, 'in.c-shop.all'),
    strict: await tableOf(shop, 'in.c-shop.strict'),
    mended: await tableOf(shop, 'in.c-shop.mended'),
    switched: await tableOf(shop, 'in.c-shop.switched'),
    later: await tableOf(shop, 'in.c-shop.later'),
    logs: await tableOf(tele, 'in.c-tele.logs'),
    odd: await tableOf(tele, 'in.c-tele.odd'),
    spans: await tableOf(tele, 'in.c-tele.spans'),
    everything: await tableOf(tele, 'in.c-tele.everything'),
  };
  const dead = {
    strict: await lettersOf(shop, 'strict'),
    mended: await lettersOf(shop, 'mended'),
    odd: await lettersOf(tele, 'odd'),
  };
  expect([rows.all.size, rows.strict.size + dead.strict.size]).toEqual([rows.all.size, rows.all.size]);
  expect((await shop.api.rows('in.c-shop.plain')).length).toBe(rows.all.size);

  const teleIds = [...rows.everything];
  const becameRow = (eventId: string): string => (everDead.has(eventId) ? 'replayed' : 'row');
  const wanted = someOf(rows.all, asked - teleIds.length);
  const found = await traced(shop, wanted);
  expect(rows.mended.size + dead.mended.size).toBe(rows.all.size);
  let imports = 0;
  for (const event of found) {
    const { eventId } = event;
    const told = Object.fromEntries(event.sinks.map(({ sinkId, state }) => [sinkId, state]));
    expect({ eventId, ...told }).toEqual({
      eventId,
      all: 'row',
      plain: 'row',
      mended: dead.mended.has(eventId) ? 'dead' : rows.mended.has(eventId) ? becameRow(eventId) : 'in no table',
      strict: dead.strict.has(eventId) ? 'dead' : rows.strict.has(eventId) ? 'row' : 'in no table',
      switched: rows.switched.has(eventId) ? 'row' : 'unwanted',
      later: rows.later.has(eventId) ? 'row' : 'unwanted',
    });
    imports += event.sinks.filter((one) => one.import !== undefined).length;
  }
  const packed = await traced(tele, teleIds);
  for (const event of packed) {
    const { eventId } = event;
    const told = Object.fromEntries(event.sinks.map(({ sinkId, state }) => [sinkId, state]));
    const isSpan = rows.spans.has(eventId);
    expect({ eventId, ...told }).toEqual({
      eventId,
      everything: 'row',
      logs: rows.logs.has(eventId) ? 'row' : 'filtered',
      odd: rows.odd.has(eventId) ? 'row' : dead.odd.has(eventId) ? 'dead' : 'filtered',
      spans: isSpan ? 'row' : 'filtered',
    });
  }
  expect(found.length + packed.length).toBe(asked);
  expect(teleIds.length).toBeGreaterThan(70);
  expect(new Set(found.map((event) => stateOf(event, 'switched'))).size).toBe(2);
  const mended = found.flatMap(({ sinks }) => sinks.filter(({ sinkId }) => sinkId === 'mended'));
  expect(new Set(mended.map(({ state }) => state))).toEqual(new Set(['row', 'dead', 'replayed']));
  const replayed = mended.filter(({ state }) => state === 'replayed');
  for (const { text } of replayed) expect(text).toMatch(/^It was a dead letter.* replay.* row/);
  // Refused again, which is told of some of those that the last replay has met.
  expect(mended.some(({ state, replay }) => state === 'dead' && replay !== undefined)).toBe(true);
  // A kill may lose the note of an import, and nothing else.
  expect(replayed.filter(({ replay }) => replay?.import !== undefined).length).toBeGreaterThan(0);
  expect(imports).toBeGreaterThan(found.length);
}, 600_000);
