import { expect, it } from 'vitest';
import { onePage as page, runAnswered } from '../../../test/support/command-api.ts';
import type { Answers } from '../../../test/support/small-api.ts';
import type { LetterShape } from './letter-client.ts';

const S = '/v1/branches/default/sources';
const D = '/v1/branches/default/dead-letters';

function deadLetter({ body, ...letter }: { sinkId: string; arrivedAt: string; body: string }): LetterShape {
  return {
    sourceId: 'shop',
    incarnation: 1,
    partition: 0,
    offset: 7,
    eventId: '019ab4c2-7e1f-7c3a-9d50-1f2e3d4c5b6a',
    reason: 'invalidJson',
    column: 'n',
    message: 'cannot parse request json',
    place: '',
    mappingVersion: 1,
    headers: { 'Content-Type': 'application/json' },
    bodyBase64: Buffer.from(body).toString('base64'),
    ...letter,
  };
}

it('dead-letters says what the API says of a name that nothing has, instead of showing none', async () => {
  const body = {
    statusCode: 404,
    error: 'stream.api.sinkNotFound',
    message: 'Sink "ordrs" not found in the source.',
  };
  const { code, stdout, stderr } = await runAnswered(['dead-letters', 'shop', 'ordrs'], () => ({
    [`GET ${D}?sourceId=shop&sinkId=ordrs&limit=20`]: { status: 404, body },
    [`GET ${S}/shop/sinks`]: { body: { page, sinks: [] } },
  }));
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('millrace: Sink "ordrs" not found in the source.');
});

it('dead-letters shows those that were loaded last whole, the newest first', async () => {
  const text = '{"a":"' + 'x'.repeat(30_000);
  const letter = (sinkId: string, arrivedAt: string) => deadLetter({ sinkId, arrivedAt, body: text });
  const [first, second] = ['2026-01-02T03:04:05.678Z', '2026-01-02T03:04:06.000Z'];
  const all = await runAnswered(['dead-letters', '--json', '--limit', '3'], () => ({
    [`GET ${D}?limit=3`]: { body: { letters: [letter('visits', first), letter('orders', second)], isCut: false } },
  }));
  expect(JSON.parse(all.stdout)).toMatchObject([
    { sourceId: 'shop', sinkId: 'orders', arrivedAt: second, reason: 'invalidJson', body: text },
    { sourceId: 'shop', sinkId: 'visits', arrivedAt: first, reason: 'invalidJson', body: text },
  ]);
  const filter = 'sourceId=shop&sinkId=orders&reason=invalidJson&column=n&since=2026-01-01T00%3A00%3A00.000Z&limit=20';
  const typed = ['--reason', 'invalidJson', '--column', 'n', '--since', '2026-01-01T01:00:00+01:00'];
  const one = await runAnswered(['dead-letters', 'list', 'shop', 'orders', ...typed], () => ({
    [`GET ${D}?${filter}`]: { body: { letters: [letter('orders', first)], isCut: true } },
  }));
  expect(one.stdout).toContain(`shop/orders  ${first}`);
  expect(one.stderr).toContain('Fewer than asked for are shown: it is 16 MB at most.');
});

it('dead-letters show marks the place in the template, and shows the event', async () => {
  const content = "{\n\ttotal: Body('total'),\n\tvat: self.total * rate,\n}";
  const letter = {
    ...deadLetter({ sinkId: 'orders', arrivedAt: '2026-01-02T03:04:05.678Z', body: 'a\u001b[2Jb' }),
    reason: 'templateError',
    column: 'vat',
    message: 'unknown variable: rate',
    place: '3:20-24',
    columnRule: { type: 'template', name: 'vat', template: { language: 'jsonnet', content } },
  };
  const { code, stdout } = await runAnswered(['dead-letters', 'show', letter.eventId], () => ({
    [`GET ${D}/${letter.eventId}`]: { body: { letters: [letter] } },
  }));
  expect(code).toBe(0);
  expect(stdout).toContain(
    ['  1 | {', "  2 |  total: Body('total'),", '  3 |  vat: self.total * rate,', `    | ${' '.repeat(19)}^^^^`].join(
      '\n',
    ),
  );
  expect(stdout).toContain('Content-Type: application/json\n');
  expect(stdout).toContain('a\\u001b[2Jb\n');
});

it('dead-letters count prints the kinds, most first', async () => {
  const counts = [
    { sourceId: 'shop', sinkId: 'orders', reason: 'templateError', column: 'vat', letters: 7 },
    { sourceId: 'shop', sinkId: 'visits', reason: 'invalidJson', column: '', letters: 2 },
  ];
  const { stdout } = await runAnswered(['dead-letters', 'count', 'shop'], () => ({
    [`GET ${D}/counts?sourceId=shop&limit=1000`]: { body: { letters: 9, counts } },
  }));
  expect(stdout).toMatch(/^ *7\s+shop\/orders\s+templateError\s+vat$/m);
});

it('dead-letters purge asks, says how many, and goes on until all are gone', async () => {
  const query = 'until=2026-01-01T00%3A00%3A00.000Z';
  const typed = ['dead-letters', 'purge', '--before', '2026-01-01T00:00:00Z'];
  const answers = (): Answers => {
    const left = [false, true];
    return {
      [`GET ${D}/counts?${query}&limit=1`]: { body: { letters: 110_000, counts: [] } },
      [`POST ${D}/purge`]: ({ body }) => {
        expect(JSON.parse(body)).toEqual({ until: '2026-01-01T00:00:00.000Z' });
        const isComplete = left.shift() ?? true;
        return { body: { deleted: isComplete ? 10_000 : 100_000, isComplete } };
      },
    };
  };
  const asked = await runAnswered(typed, answers);
  expect({ code: asked.code, stdout: asked.stdout }).toEqual({ code: 2, stdout: '' });
  expect(asked.stderr).toContain('110000 dead letters of events that arrived before 2026-01-01T00:00:00.000Z.');
  expect(asked.stderr).toContain('Nothing was deleted: nobody can be asked here, so give --yes.');
  const done = await runAnswered([...typed, '--yes'], answers);
  expect(done.stdout).toBe('110000 dead letters deleted.\n');
});

it.each(['yesterday', '-5m', '2026-01-01', '2026-13-01T00:00:00Z', '9999999d'])(
  'dead-letters purge refuses %j as a moment',
  async (moment) => {
    const { code, stderr } = await runAnswered(['dead-letters', 'purge', '--before', moment, '--yes'], () => ({}));
    expect(code).toBe(2);
    expect(stderr).toContain('--before must be how long ago, such as "90m" or "30d", or a time with its zone');
  },
);

it('dead-letters replay --dry-run shows the rows and why others stay, and asks for no replay', async () => {
  const place = { eventId: 'e', partition: 0, offset: 1 };
  const letters = [
    { ...place, outcome: 'row', row: { n: '7' } },
    { ...place, outcome: 'refused', reason: 'pathNotFound', column: 'n', message: 'path "n" not found' },
    { ...place, outcome: 'partial' },
  ];
  const { code, stdout, stderr, seen } = await runAnswered(
    ['dead-letters', 'replay', 'shop', 'orders', '--dry-run'],
    () => ({
      [`POST ${S}/shop/sinks/orders/dead-letters/replay/try`]: { body: { matching: 9, earlier: 4, letters } },
    }),
  );
  expect(code).toBe(0);
  expect(seen.map(({ body }) => JSON.parse(body) as unknown)).toEqual([{ limit: 20 }]);
  expect(stdout).toMatch(/row +\{"n":"7"\}/);
  expect(stdout).toMatch(/stays: pathNotFound of n +path "n" not found/);
  expect(stdout).toContain('stays: it is not whole');
  expect(stderr).toContain('4 more are of earlier existences of the sink');
});

it.each([
  [
    { state: 'failed', failure: { code: 'table.notFound', message: 'no table' } },
    'the replay failed: no table (table.notFound)',
  ],
  [{ id: 'another', state: 'done' }, 'the replay has ended, and another one was begun since'],
])('dead-letters replay --wait fails for %j', async (ended, says) => {
  const counts = { matching: 3, earlier: 0, seen: 0, rows: 0, filtered: 0, refused: 0, partial: 0, batches: 0 };
  const at = { askedAt: '2026-01-01T00:00:00.000Z', endedAt: null };
  const replay = { id: 'r', state: 'running', failure: null, ...at, ...counts };
  const path = `${S}/shop/sinks/orders/dead-letters/replay`;
  const { code, stderr } = await runAnswered(['dead-letters', 'replay', 'shop', 'orders', '--wait'], () => ({
    [`POST ${path}`]: { body: replay },
    [`GET ${path}`]: { body: { replay: { ...replay, ...ended } } },
  }));
  expect([code, stderr]).toEqual([1, expect.stringContaining(says)]);
});

it('dead-letters replay begins one, also as start, for the letters that were meant; status and stop are verbs of it', async () => {
  const counts = { matching: 3, earlier: 2, seen: 0, rows: 0, filtered: 0, refused: 0, partial: 0, batches: 0 };
  const replay = {
    id: 'r',
    state: 'running',
    failure: null,
    askedAt: '2026-01-01T00:00:00.000Z',
    endedAt: null,
    ...counts,
  };
  const path = `${S}/shop/sinks/orders/dead-letters/replay`;
  const answers = {
    [`POST ${path}`]: { body: replay },
    [`GET ${path}`]: { body: { replay: { ...replay, state: 'done' } } },
    [`POST ${path}/stop`]: { body: { ...replay, state: 'stopped' } },
  };
  const typed = ['shop', 'orders', '--reason', 'templateError', '--column', 'n', '--limit', '7'];
  for (const verb of [[], ['start']]) {
    const { stdout, stderr, seen } = await runAnswered(['dead-letters', 'replay', ...verb, ...typed], () => answers);
    expect(JSON.parse(seen[0]?.body ?? '')).toEqual({ reason: 'templateError', column: 'n', limit: 7 });
    expect(stdout).toMatch(/shop\/orders +running/);
    expect(stderr).toContain('2 more are of earlier existences of the sink');
  }
  for (const [verb, state] of [
    ['status', 'done'],
    ['stop', 'stopped'],
  ] as const) {
    const { stdout } = await runAnswered(['dead-letters', 'replay', verb, 'shop', 'orders'], () => answers);
    expect(stdout).toMatch(new RegExp(`shop/orders +${state}`));
  }
});
