import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

const json = 'application/json';

interface LetterAnswer {
  readonly letters: readonly {
    readonly sinkId: string;
    readonly eventId: string;
    readonly reason: string;
    readonly column: string;
    readonly bodyBase64: string;
  }[];
}

interface Posted {
  readonly body: string | Uint8Array;
  readonly type: string;
}

/** Events that the sink with path columns refuses, by the reason. `long` makes a row over 1.5 MB of a body under 1 MB. */
const refused: Readonly<Record<string, Posted & { readonly column: string }>> = {
  invalidJson: { body: '{"n": 1,', type: json, column: 'n' },
  unsupportedMediaType: { body: 'n=1', type: 'text/plain', column: 'n' },
  pathNotFound: { body: '{"m": 1}', type: json, column: 'n' },
  invalidText: {
    body: new Uint8Array([...Buffer.from('{"n":"'), 0xff, 0xfe, ...Buffer.from('"}')]),
    type: json,
    column: 'n',
  },
  rowTooLarge: { body: JSON.stringify({ n: 'x'.repeat(900_000) }), type: json, column: 'again' },
};

async function post(url: string, { body, type }: Posted): Promise<void> {
  const response = await fetch(url, { method: 'POST', body: Buffer.from(body), headers: { 'Content-Type': type } });
  expect(response.status).toBe(200);
}

describe('an event that a mapping refuses', () => {
  it('D2: becomes a dead letter of that sink alone, whole and with its reason; what follows goes on', async () => {
    const shop = installation.shop();
    const path = { type: 'path', path: 'n', rawString: true };
    await shop.create([
      {
        sinkId: 'strict',
        tableId: 'in.c-shop.strict',
        columns: [
          { ...path, name: 'n' },
          { ...path, name: 'again' },
        ],
      },
      {
        sinkId: 'lenient',
        tableId: 'in.c-shop.lenient',
        columns: [
          { type: 'uuid', name: 'id' },
          { type: 'ip', name: 'ip' },
        ],
      },
    ]);
    const url = await shop.url();
    const good = { body: '{"n": "good"}', type: json };
    await post(url, good);
    for (const event of Object.values(refused)) await post(url, event);
    await post(url, good);
    await shop.flush('strict');
    await shop.flush('lenient');
    const count = Object.keys(refused).length;
    const { rows, dead } = { rows: await shop.api.rows('in.c-shop.strict'), dead: await deadLetters(shop.api) };
    expect(rows).toEqual([
      { n: 'good', again: 'good' },
      { n: 'good', again: 'good' },
    ]);
    expect(new Set(dead.keys())).toEqual(new Set(Object.keys(refused)));
    for (const [reason, { body, column, type }] of Object.entries(refused)) {
      const letter = dead.get(reason);
      expect(letter).toMatchObject({ sink: 'strict', source: 'shop', column, mapping_version: '1' });
      expect(letter?.['message']).toContain(column);
      expect(Buffer.from(letter?.['body'] ?? '', 'base64').equals(Buffer.from(body))).toBe(true);
      expect(letter?.['headers']?.toLowerCase()).toContain(type);
      expect(letter?.['event_id']).toMatch(/^[0-9a-f-]{36}$/);
    }
    const lenient = await shop.api.rows('in.c-shop.lenient');
    expect(lenient).toHaveLength(count + 2);
    expect([...dead.values()].every((letter) => lenient.some(({ id }) => id === letter['event_id']))).toBe(true);
    expectConserved(await shop.progress('strict'), 2, count);
    expectConserved(await shop.progress('lenient'), count + 2);
  });

  it('A61: are found by source, sink, reason, column and time, counted, and shown with the column that refused them', async () => {
    const shop = installation.shop('found');
    const template = { language: 'jsonnet', content: "{\n  vat: Body('n') * 2,\n}" };
    await shop.create([
      { sinkId: 'paths', tableId: 'in.c-found.paths', columns: [{ type: 'path', name: 'n', path: 'n' }] },
      { sinkId: 'sums', tableId: 'in.c-found.sums', columns: [{ type: 'template', name: 'sum', template }] },
    ]);
    const url = await shop.url();
    const before = new Date().toISOString();
    await post(url, { body: '{"m": 1}', type: json });
    await post(url, { body: '{"n": "x"}', type: json });
    await shop.flush('paths');
    await shop.flush('sums');
    const letters = '/v1/branches/default/dead-letters';
    const ask = async (path: string) => {
      const { status, body } = await shop.api.request('GET', path.startsWith('/v1') ? path : `${letters}${path}`);
      return { status, body: body as LetterAnswer };
    };
    const listed = (await ask('?sourceId=found')).body.letters;
    expect(listed.map(({ sinkId, reason, column }) => `${sinkId} ${reason} ${column}`).toSorted()).toEqual([
      'paths pathNotFound n',
      'sums templateError sum',
      'sums templateError sum',
    ]);
    const found = async (query: string) => (await ask(`?sourceId=found&${query}`)).body.letters.length;
    expect(await found('sinkId=sums')).toBe(2);
    expect(await found('reason=pathNotFound')).toBe(1);
    expect(await found('column=sum&limit=1')).toBe(1);
    expect(await found(`since=${before}`)).toBe(3);
    expect(await found(`until=${before}`)).toBe(0);
    expect((await ask('?sourceId=nobody')).status).toBe(404);
    expect((await ask('?sourceId=found&sinkId=nobody')).status).toBe(404);
    expect(await ask('?sinkId=sums')).toMatchObject({ status: 400 });
    expect(await ask('?since=yesterday')).toMatchObject({ status: 400 });
    expect((await ask('/counts?sourceId=found')).body).toMatchObject({
      letters: 3,
      counts: [
        { sinkId: 'sums', reason: 'templateError', column: 'sum', letters: 2 },
        { sinkId: 'paths', reason: 'pathNotFound', column: 'n', letters: 1 },
      ],
    });
    const [path] = listed.filter(({ sinkId }) => sinkId === 'paths');
    const shown = (await ask(`/${path?.eventId}`)).body.letters;
    expect(shown).toHaveLength(2);
    const sum = shown.find(({ sinkId }) => sinkId === 'sums');
    expect(sum).toMatchObject({ columnRule: { type: 'template', template }, headers: { 'Content-Type': json } });
    expect(Buffer.from(sum?.bodyBase64 ?? '', 'base64').toString()).toBe('{"m": 1}');
    expect((await ask('/nobody')).status).toBe(404);
    // A branch of its own sees none of them.
    expect((await ask('/v1/branches/7/dead-letters')).body.letters).toEqual([]);

    const purge = (body: object) => shop.api.request('POST', `${letters}/purge`, { sourceId: 'found', ...body });
    expect((await purge({})).status).toBe(400);
    expect((await purge({ until: before })).body).toEqual({ deleted: 0, isComplete: true });
    const until = '2100-01-01T00:00:00Z';
    expect((await purge({ sinkId: 'sums', until })).body).toEqual({ deleted: 2, isComplete: true });
    expect((await ask('/counts?sourceId=found')).body).toMatchObject({ letters: 1 });
    // Their events stay what they were.
    expectConserved(await shop.progress('sums'), 0, 2);
  });

  it('A61: a replay is tried first: it shows the rows that it would make and why others stay, and changes nothing', async () => {
    const shop = installation.shop('tried');
    const column = { type: 'path', name: 'n', path: 'n', rawString: true };
    const table = (columns: readonly object[]) => ({ table: { mapping: { columns } } });
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-tried.orders', columns: [column] }]);
    const url = await shop.url();
    await post(url, { body: '{"m": "a \\"quoted\\", line\\nof two"}', type: json });
    await post(url, { body: 'not JSON', type: json });
    await shop.flush('orders');
    await shop.api.task('PATCH', shop.sink('orders'), table([{ ...column, path: 'm' }]));
    const replay = `${shop.sink('orders')}/dead-letters/replay`;
    const tried = await shop.api.call<{ matching: number; letters: readonly { outcome: string }[] }>(
      'POST',
      `${replay}/try`,
      {},
    );
    expect(tried.matching).toBe(2);
    expect(tried.letters.toSorted((a, b) => (a.outcome < b.outcome ? -1 : 1))).toMatchObject([
      { outcome: 'refused', reason: 'invalidJson', column: 'n' },
      { outcome: 'row', row: { n: 'a "quoted", line\nof two' } },
    ]);
    const some = await shop.api.call<typeof tried>('POST', `${replay}/try`, { reason: 'invalidJson' });
    expect(some).toMatchObject({ matching: 1, letters: [{ outcome: 'refused' }] });
    expect(await shop.api.rows('in.c-tried.orders')).toEqual([]);
    expectConserved(await shop.progress('orders'), 0, 2);
    await shop.api.call('POST', replay, {});
    await eventually(async () =>
      expect((await shop.progress('orders')).totals).toMatchObject({ imported: 1, dead: 1 }),
    );
    expect(await shop.api.rows('in.c-tried.orders')).toEqual([{ n: 'a "quoted", line\nof two' }]);
  });

  it('D4: letters of earlier existences of a sink, and of its source, are counted apart, and no replay takes them', async () => {
    const shop = installation.shop('remade');
    const refusing = {
      sinkId: 'orders',
      tableId: 'in.c-remade.orders',
      columns: [{ type: 'path', name: 'n', path: 'n' }],
    };
    const taking = { ...refusing, columns: [{ type: 'body', name: 'n' }] };
    const replay = `${shop.sink('orders')}/dead-letters/replay`;
    const letters = async (): Promise<number> =>
      (await shop.api.call<{ letters: number }>('GET', '/v1/branches/default/dead-letters/counts?sourceId=remade'))
        .letters;
    const requireNone = async (earlier: number): Promise<void> => {
      expect(await shop.api.call('POST', `${replay}/try`, {})).toMatchObject({ matching: 0, earlier, letters: [] });
      const filter = { reason: 'unsupportedMediaType' };
      expect(await shop.api.call('POST', `${replay}/try`, filter)).toMatchObject({ matching: 0, earlier: 0 });
      expect(await shop.api.call('POST', replay, {})).toMatchObject({ matching: 0, earlier });
      await eventually(async () =>
        expect(await shop.api.call('GET', replay)).toMatchObject({ replay: { state: 'done', seen: 0, earlier } }),
      );
      expect([await letters(), await shop.api.rows('in.c-remade.orders')]).toEqual([earlier, []]);
      expectConserved(await shop.progress('orders'), 0, 0);
    };
    await shop.create([refusing]);
    for (const body of ['not JSON', 'nor this']) await post(await shop.url(), { body, type: json });
    await shop.flush('orders');
    await shop.api.task('DELETE', shop.sink('orders'));
    await shop.createSink(taking);
    await requireNone(2);
    await shop.api.task('DELETE', shop.sink('orders'));
    await shop.createSink(refusing);
    await post(await shop.url(), { body: 'again', type: json });
    await shop.flush('orders');
    await shop.api.task('DELETE', shop.path);
    await shop.create([taking]);
    await requireNone(3);
  });

  it('D2: dead letters alone are imported, too, and a sink whose table is fine shows no error for them', async () => {
    const shop = installation.shop('onlydead');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-onlydead.orders' }]);
    const url = await shop.url();
    for (let index = 0; index < 20; index += 1) await post(url, { body: 'not JSON', type: json });
    await shop.flush('orders');
    const progress = await shop.progress('orders');
    expect(progress.errors).toEqual([]);
    expectConserved(progress, 0, 20);
  });
});

async function deadLetters(api: { rows(tableId: string): Promise<readonly Readonly<Record<string, string>>[]> }) {
  const letters = await api.rows('sys.c-millrace.dead_letters');
  return new Map(letters.map((letter) => [letter['reason'] ?? '', letter]));
}
