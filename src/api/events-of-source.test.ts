import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { anyText } from '../../test/support/matching.ts';
import { Api } from '../../test/support/api.ts';

const S = '/v1/branches/default/sources';

interface Events {
  readonly events: readonly Readonly<Record<string, unknown>>[];
  readonly position: string;
}

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin((given) => ({ ...given, config: { ...given.config, partitions: 2 } }));
});

afterAll(() => harness[Symbol.asyncDispose]());

interface Sent {
  readonly partition?: number;
  readonly at: number;
  readonly body: string | Uint8Array;
  readonly headers?: readonly string[];
}

async function make(name: string, events: readonly Sent[] = []): Promise<void> {
  await harness.api.task('POST', S, { type: 'http', name, sourceId: name });
  await append(name, events);
}

async function append(source: string, events: readonly Sent[]): Promise<void> {
  const { signal } = new AbortController();
  for (const { partition = 0, at, body, headers = [] } of events)
    await harness.dependencies.sourceLog.append(
      { topic: `source.1.${source}`, partition },
      [{ value: Buffer.from(body), headers, timestamp: at }],
      { signal },
    );
}

const ask = (source: string, query = '', api = harness.api): Promise<Events> =>
  api.call<Events>('GET', `${S}/${source}/events${query}`);
const bodies = ({ events }: Events): readonly unknown[] => events.map(({ body }) => body);

test('A50: the last events of all partitions by their arrival, then those behind the position', async () => {
  await make('shop');
  expect(await ask('shop')).toEqual({ events: [], position: '1:0,0' });
  await append('shop', [
    { at: 1, body: 'a' },
    { at: 4, body: 'd' },
    { at: 2, partition: 1, body: 'b' },
    { at: 3, partition: 1, body: 'c' },
  ]);
  const last = await ask('shop', '?limit=3');
  expect(bodies(last)).toEqual(['b', 'c', 'd']);
  expect(last.position).toBe('1:2,2');
  expect(await ask('shop', `?position=${last.position}`)).toEqual({ events: [], position: '1:2,2' });
  await append('shop', [{ at: 9, partition: 1, body: 'e' }]);
  expect(bodies(await ask('shop', `?position=${last.position}`))).toEqual(['e']);
  const first = await ask('shop', '?position=1:0&limit=2');
  expect(bodies(first)).toEqual(['a', 'b']);
  expect(first.position).toBe('1:1,1');
});

test('A50: an event is shown with its headers, without a secret of the source; what is no text as base64', async () => {
  await make('one');
  const { http } = await harness.api.call<{ http: { url: string } }>('GET', `${S}/one`);
  const secret = http.url.split('/').at(-1) ?? '';
  const headers = [
    'X-Original-URI',
    `/stream/1/one/${secret}?a=1`,
    'x-a',
    '1',
    'X-A',
    '2',
    'millrace-remote',
    '192.0.2.1',
  ];
  await append('one', [
    { at: 1, body: 'é', headers },
    { at: 2, body: Uint8Array.of(0xff, 0) },
  ]);
  const { events } = await ask('one');
  expect(events).toEqual([
    {
      eventId: anyText,
      partition: 0,
      offset: 0,
      arrivedAt: '1970-01-01T00:00:00.001Z',
      remoteAddress: '192.0.2.1',
      headers: { 'X-Original-Uri': '/stream/1/one/***?a=1', 'X-A': '1, 2' },
      body: 'é',
      bodySize: 2,
    },
    {
      eventId: anyText,
      partition: 0,
      offset: 1,
      arrivedAt: '1970-01-01T00:00:00.002Z',
      headers: {},
      bodyBase64: '/wA=',
      bodySize: 2,
    },
  ]);
});

test('A50: an answer is bounded in bytes, and the next ones have the rest; a long body is cut between characters', async () => {
  // A read of the log has more of these than an answer has room for; of each, 64 KB end within a character.
  const body = '€'.repeat(22_000);
  await make(
    'long',
    Array.from({ length: 40 }, (_, at) => ({ at, partition: at % 2, body })),
  );
  const last = await ask('long', '?limit=1000');
  expect(last.events).toHaveLength(15);
  expect(last.events.at(-1)).toMatchObject({ partition: 1, offset: 19, bodySize: 66_000 });
  const seen: string[] = [];
  for (let position = '1:0,0'; ;) {
    const answer = await ask('long', `?limit=1000&position=${position}`);
    if (answer.events.length === 0) break;
    ({ position } = answer);
    for (const event of answer.events) seen.push(`${String(event['partition'])}/${String(event['offset'])}`);
    const shown = answer.events.map((event) => String(event['body']));
    expect(shown.reduce((sum, text) => sum + Buffer.byteLength(text), 0)).toBeLessThanOrEqual(1024 * 1024);
    expect(new Set(shown)).toEqual(new Set(['€'.repeat(21_845)]));
  }
  expect(seen).toEqual(Array.from({ length: 40 }, (_, at) => `${at % 2}/${Math.floor(at / 2)}`));
});

test('A50: who may read the source may read its events; a position of an earlier existence begins anew', async () => {
  await make('again', [{ at: 1, body: 'old' }]);
  const made = await harness.api.call<{ token: string }>('POST', '/v2/storage/tokens', {
    description: 'reader',
    role: 'readOnly',
  });
  const before = await ask('again', '', new Api(harness.base, made.token));
  expect(bodies(before)).toEqual(['old']);
  await expect(ask('again', '', new Api(harness.base, 'none'))).rejects.toThrow('401');
  await harness.api.task('DELETE', `${S}/again`);
  await make('again');
  const { signal } = new AbortController();
  const at = { topic: 'source.1.again.2', partition: 0 };
  await harness.dependencies.sourceLog.append(at, [{ value: Buffer.from('new'), headers: [], timestamp: 1 }], {
    signal,
  });
  expect(bodies(await ask('again', `?position=${before.position}`))).toEqual(['new']);
});

test('A50: a position that no answer had is refused', async () => {
  await make('strict');
  for (const position of ['', '1', '0:1', '1:-1', '1:1,', '1:1234567890123456']) {
    const { status, text } = await harness.api.request('GET', `${S}/strict/events?position=${position}`);
    expect({ status, text }).toEqual({ status: 400, text: expect.stringContaining('position') as string });
  }
});

test('A50: a position behind the end of the log is refused, and what retention took in between is told', async () => {
  await make(
    'short',
    ['a', 'b', 'c'].map((body, at) => ({ at, body })),
  );
  expect(bodies(await ask('short', '?position=1:1,0'))).toEqual(['b', 'c']);
  const { status, text } = await harness.api.request('GET', `${S}/short/events?position=1:4,0`);
  expect({ status, text }).toEqual({
    status: 400,
    text: expect.stringContaining(
      'names offset 4 of partition 0, and the log of the source ends at 3: it was put back to an earlier time',
    ) as string,
  });
  const { signal } = new AbortController();
  const { sourceLog } = harness.dependencies;
  const topic = 'source.1.short';
  const identity = (await sourceLog.describeTopic(topic, { signal }))?.identity ?? '';
  await sourceLog.trim({ topic, identity, partition: 0 }, 2, { signal });
  const later = await ask('short', '?position=1:1,0');
  expect(later).toEqual({ events: later.events, position: '1:3,0', skipped: 1 });
  expect(bodies(later)).toEqual(['c']);
  expect(await ask('short', '?position=1:2,0')).toEqual({ events: later.events, position: '1:3,0' });
});
