import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { v4, v7 } from 'uuid';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { importAll, stageAll } from '../../test/support/deliver.ts';
import { encodeOutcome } from '../core/outcome.ts';
import { limits } from '../core/limits.ts';
import { Api } from '../../test/support/api.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import { progressDocuments } from '../documents/progress-document.ts';

const S = '/v1/branches/default/sources';
const { signal } = new AbortController();
const now = Date.parse('2026-05-05T05:05:05.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();

interface SinkTrace extends Readonly<Record<string, unknown>> {
  readonly sinkId: string;
  readonly state: string;
}
interface Trace {
  readonly verdict: string;
  readonly events: readonly {
    readonly eventId: string;
    readonly partition: number;
    readonly offset: number;
    readonly missing?: string;
    readonly sinks: readonly SinkTrace[];
  }[];
  readonly search?: Readonly<Record<string, unknown>>;
  readonly position?: string;
}

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin((given) => ({ ...given, config: { ...given.config, partitions: 2 } }));
});

afterAll(() => harness[Symbol.asyncDispose]());

const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'path', name: 'n', path: 'n', rawString: true },
];

async function make(name: string): Promise<void> {
  const table = { tableId: `in.c-${name}.orders`, mapping: { columns } };
  await harness.api.task('POST', S, { type: 'http', name, sourceId: name, sinks: [{ name: 'orders', table }] });
}

interface Sent {
  readonly id?: string;
  readonly at?: number;
  readonly partition?: number;
  readonly body?: string;
}

async function append(name: string, events: readonly Sent[]): Promise<void> {
  for (const { id, at = now, partition = 0, body = '{"n":1}' } of events) {
    const json = ['content-type', 'application/json'];
    const headers = id === undefined ? json : ['millrace-id', id, ...json];
    const record = { value: Buffer.from(body), headers, timestamp: at };
    await harness.dependencies.sourceLog.append({ topic: `source.1.${name}`, partition }, [record], { signal });
  }
}

async function progressOfSource(name: string): Promise<SinkProgress> {
  const found = await harness.dependencies.catalog.list({ collection: 'progress', prefix: '' }, { signal });
  const progress = found.map(({ value }) => progressDocuments.parse(value)).find(({ key }) => key.sourceId === name);
  if (progress === undefined) throw new Error(`no progress of ${name}`);
  return progress;
}

const trace = (name: string, query: Readonly<Record<string, string>>, api: Api = harness.api): Promise<Trace> =>
  api.call<Trace>('GET', `${S}/${name}/trace?${new URLSearchParams(query).toString()}`);
const places = ({ events }: Trace): readonly string[] =>
  events.map(({ partition, offset }) => `${partition}:${offset}`);

describe('W4: an event is found', () => {
  const [early, mine, late, foreign] = [
    v7({ msecs: now - 3_600_000 }),
    v7({ msecs: now }),
    v7({ msecs: now + 3_600_000 }),
    v4(),
  ];

  beforeAll(async () => {
    await make('found');
    await append('found', [
      { id: early, at: now - 3_600_000 },
      { id: foreign, at: now - 1000, body: '{"n":2}' },
      { id: mine, at: now, partition: 1, body: '{"n":"x\\"y\\n"}' },
      { at: now + 5, body: 'no json' },
      { id: late, at: now + 3_600_000 },
    ]);
  });

  test('W4: by the id that ingest made, where its time says that it lies, and nowhere else', async () => {
    const found = await trace('found', { eventId: mine.toUpperCase() });
    expect(found).toMatchObject({
      verdict: `Found at partition 1, offset 0; it arrived at ${iso(now)}.`,
      events: [{ eventId: mine, partition: 1, offset: 0, event: { body: '{"n":"x\\"y\\n"}' } }],
      // Of the two near it, not of those an hour away.
      search: { records: expect.any(Number) as number, logIsCut: false },
    });
    expect(found.search?.['records']).toBeLessThanOrEqual(3);
  });

  test('W4: by an id that a client gave, or that its place made', async () => {
    expect(places(await trace('found', { eventId: foreign }))).toEqual(['0:1']);
    const [made] = (await trace('found', { at: '0:2' })).events;
    expect(places(await trace('found', { eventId: made?.eventId ?? '' }))).toEqual(['0:2']);
  });

  test('W4: by place, by arrival, and by the value of a mapped column, whatever becomes of other columns', async () => {
    expect(await trace('found', { at: '0:3' })).toMatchObject({ events: [{ eventId: late }] });
    const since = { since: iso(now - 1000), until: iso(now + 5) };
    expect(places(await trace('found', since))).toEqual(['0:1', '1:0']);
    const cell = { sinkId: 'orders', column: 'n', value: 'x"y\n' };
    expect(places(await trace('found', cell))).toEqual(['1:0']);
    expect(places(await trace('found', { ...cell, value: '2', until: iso(now - 1000) }))).toEqual([]);
  });

  test('W4: how far was looked is told, and an id is not called missing by less than was read', async () => {
    const near = await trace('found', { eventId: v7({ msecs: now }) });
    expect(near.verdict).toMatch(
      /^Not found among what arrived from .* to .*: 3 records were read, and no table has it by an id\.$/,
    );
    const all = await trace('found', { eventId: v4() });
    expect(all.verdict).toBe(
      'Not found among all that the log has: 5 records were read, and no table has it by an id.',
    );
    expect(all).toMatchObject({ events: [], search: { records: 5, done: true } });
  });

  test.each([
    [{}, 'must say which events are meant'],
    [{ eventId: 'x' }, 'must be a UUID'],
    [{ at: '1' }, 'must be a partition and an offset'],
    [{ at: '7:0' }, 'the source has the partitions 0 to 1'],
    [{ at: '0:4' }, 'the partition ends at 4'],
    [{ since: 'yesterday' }, 'must be a time with its zone'],
    [{ column: 'n', value: '1' }, 'belong together'],
    [{ sinkId: 'orders', column: 'm', value: '1' }, 'has no column'],
    [{ sinkId: 'a/b', column: 'm', value: '1' }, 'not found'],
    [{ at: '0:1', eventId: v4() }, 'not several'],
    [{ since: iso(now), position: '2:0.1-4' }, 'earlier existence'],
    [{ since: iso(now), position: '2:x' }, 'must be one that an answer'],
  ])('D9: %j is refused: %s', async (query, rule) => {
    const { status, text } = await harness.api.request(
      'GET',
      `${S}/found/trace?${new URLSearchParams(query as Record<string, string>).toString()}`,
    );
    expect(status).toBeGreaterThanOrEqual(400);
    expect(status).toBeLessThan(500);
    expect(JSON.parse(text)).toMatchObject({ message: expect.stringContaining(rule) as string });
  });

  test('W4: whoever may read events may ask, and sees no secret of the source in them', async () => {
    const token = await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', {
      description: 'jobs',
      componentAccess: ['generic-extractor'],
    });
    const { status } = await new Api(harness.base, token.token).request('GET', `${S}/found/trace?at=0:1`);
    expect(status).toBe(403);
  });
});

describe('W5: a search is bounded', () => {
  test('W5, D8: a call reads so much, and the next one goes on where it ended, until everything was read once', async () => {
    await make('large');
    const body = JSON.stringify({ n: 'x'.repeat(1_000_000) });
    const ids = Array.from({ length: 70 }, () => v4());
    await append(
      'large',
      ids.map((id, index) => ({ id, body, partition: index % 2 })),
    );
    let [records, calls] = [0, 0];
    for (let position: string | undefined = ''; position !== undefined;) {
      const answer: Trace = await trace('large', { eventId: v4Unknown, ...(position === '' ? {} : { position }) });
      expect(answer.events).toEqual([]);
      expect(answer.verdict).toMatch(answer.position === undefined ? /^Not found among all/ : /^Not found yet/);
      expect(answer.search?.['bytes']).toBeLessThan(limits.tracedBytes + 3_000_000);
      records += Number(answer.search?.['records']);
      calls += 1;
      position = answer.position;
    }
    expect(records).toBe(70);
    expect(calls).toBeGreaterThan(1);
  });

  test('W5: of many events that are meant an answer has some, and the next ones have the others, each once', async () => {
    await make('many');
    await append(
      'many',
      Array.from({ length: 25 }, (_, at) => ({ id: v4(), partition: at % 2, at: now + at })),
    );
    const seen: string[] = [];
    for (let position: string | undefined = ''; position !== undefined;) {
      const answer: Trace = await trace('many', {
        since: iso(now),
        limit: '4',
        ...(position === '' ? {} : { position }),
      });
      expect(answer.events.length).toBeLessThanOrEqual(4);
      seen.push(...places(answer));
      position = answer.position;
    }
    expect(seen).toHaveLength(25);
    expect(new Set(seen).size).toBe(25);
  });

  test('W5: what retention took is told as such', async () => {
    await make('cut');
    await append(
      'cut',
      Array.from({ length: 4 }, () => ({ id: v4() })),
    );
    const { sourceLog } = harness.dependencies;
    const description = await sourceLog.describeTopic('source.1.cut', { signal });
    await sourceLog.trim({ topic: 'source.1.cut', identity: description?.identity ?? '', partition: 0 }, 3, { signal });
    const first = (await sourceLog.range({ topic: 'source.1.cut', partition: 0 }, { signal })).first;
    expect(first).toBeGreaterThan(0);
    const place = await trace('cut', { at: `0:${first - 1}` });
    expect(place.verdict).toMatch(/retention has removed it/);
    expect(place.events).toMatchObject([{ missing: 'removed', sinks: [{ state: 'unmapped' }] }]);
    expect((await trace('cut', { eventId: v4() })).verdict).toMatch(/retention has removed the older ones\.$/);
  });
});

const v4Unknown = v4();

describe('W6: where it is', () => {
  let progress: SinkProgress;
  const stateAt = async (offset: number): Promise<SinkTrace | undefined> =>
    (await trace('where', { at: `0:${offset}` })).events[0]?.sinks[0];

  beforeAll(async () => {
    await make('where');
    progress = await progressOfSource('where');
    await append('where', [{}, {}, { body: '{}' }]);
  });

  test('W6: not mapped, and why; mapped, and to what', async () => {
    expect(await stateAt(1)).toMatchObject({ state: 'unmapped', why: [{ kind: 'unmapped', events: 3 }] });
    const outcome = encodeOutcome({ kind: 'filtered', from: -1, to: 1, mappingVersion: 1 });
    await harness.dependencies.sinkLog.append(
      { topic: progress.topics.sink, partition: 0 },
      [{ value: outcome, headers: [], timestamp: now }],
      { signal },
    );
    expect(await stateAt(1)).toMatchObject({ state: 'mapped', outcome: 'filtered', mappingVersion: 1 });
    expect(await stateAt(2)).toMatchObject({ state: 'unmapped' });
  });

  test('W6: in staging, with its slice and what its mapping makes of it; then in the import that loaded it', async () => {
    await stageAll(harness.dependencies, progress.incarnation);
    expect(await stateAt(1)).toMatchObject({
      state: 'staged',
      outcome: 'row',
      slice: { from: -1, to: 2, rows: 3 },
      why: [{ kind: 'staged' }],
    });
    expect(await stateAt(2)).toMatchObject({ state: 'staged', outcome: 'dead' });
    await importAll(harness.dependencies, progress.incarnation);
    // The harness imports into the document alone: its tables have nothing.
    expect(await stateAt(1)).toMatchObject({ state: 'row', table: { column: 'id', hasRow: false } });
    expect(await stateAt(2)).toMatchObject({ state: 'dead', deadLetter: { column: 'n', inTable: false } });
  });

  test('W6: what a sink is not to take is told: accepted while it was disabled, after it was, or before it began', async () => {
    await harness.api.task('PUT', `${S}/where/sinks/orders/disable`);
    await append('where', [{}]);
    expect(await stateAt(3)).toMatchObject({
      state: 'unwanted',
      text: expect.stringMatching(/after the sink was disabled at/) as string,
    });
    await harness.api.task('PUT', `${S}/where/sinks/orders/enable`);
    await append('where', [{}]);
    expect(await stateAt(3)).toMatchObject({
      state: 'unwanted',
      text: expect.stringMatching(/while the sink was disabled/) as string,
    });
    expect(await stateAt(4)).toMatchObject({ state: 'unmapped' });
    const table = { tableId: 'in.c-where.later', mapping: { columns } };
    await harness.api.task('POST', `${S}/where/sinks`, { name: 'later', table });
    const [first, second] = (await trace('where', { at: '0:4' })).events[0]?.sinks ?? [];
    expect([first, second]).toMatchObject([
      { sinkId: 'later', state: 'unwanted', text: expect.stringMatching(/begins behind it/) as string },
      { sinkId: 'orders', state: 'unmapped' },
    ]);
  });
});
