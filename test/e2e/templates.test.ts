import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import type { Column, Shop } from '../support/shop.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start({ env: { MILLRACE_DRAIN_TIMEOUT: '5s' } });
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

function template(name: string, content: string, rawString = false): Column {
  return { type: 'template', name, rawString, template: { language: 'jsonnet', content } };
}

async function post(url: string, body: unknown, headers: Readonly<Record<string, string>> = {}): Promise<void> {
  const all = { 'Content-Type': 'application/json', ...headers };
  const response = await fetch(url, { method: 'POST', body: JSON.stringify(body), headers: all });
  expect(response.status).toBe(200);
}

async function deadLetters(shop: Shop, sink: string) {
  const letters = await shop.api.rows('sys.c-millrace.dead_letters');
  return letters.filter((letter) => letter['sink'] === sink);
}

describe('a template column', () => {
  it('D6: fills its cell, and what fails is a dead letter of its sink alone, with column, place and message', async () => {
    const shop = installation.shop('cells');
    const total =
      'local lines = Body("lines");\nstd.foldl(function(sum, line) sum + line.price * line.count, lines, 0)';
    await shop.create([
      {
        sinkId: 'computed',
        tableId: 'in.c-cells.computed',
        columns: [
          template('total', total),
          template('who', 'Body("who.name", "nobody") + "@" + Header("X-Shop", "none")', true),
          template('day', 'std.length(Now("%Y-%m-%d"))'),
          template('all', '{ text: BodyStr(), ip: Ip(), type: Header("content-type") }'),
          { type: 'path', name: 'name', path: 'who.name', defaultValue: 'none', rawString: true },
        ],
      },
      { sinkId: 'plain', tableId: 'in.c-cells.plain', columns: [{ type: 'body', name: 'body' }] },
    ]);
    const url = await shop.url();
    const good = {
      lines: [
        { price: 2.5, count: 2 },
        { price: 0.1, count: 3 },
      ],
      who: { name: 'Ada "A" Ü' },
    };
    const bad = { lines: [{ price: 'free', count: 2 }] };
    await post(url, good, { 'X-Shop': 'seven' });
    await post(url, bad);
    await post(url, { lines: [] });
    for (const sink of ['computed', 'plain']) await shop.flush(sink);
    const all = (body: unknown) =>
      JSON.stringify({ ip: '127.0.0.1', text: JSON.stringify(body), type: 'application/json' });
    expect(await shop.api.rows('in.c-cells.computed')).toEqual([
      { total: '5.3', who: 'Ada "A" Ü@seven', day: '10', all: all(good), name: 'Ada "A" Ü' },
      { total: '0', who: 'nobody@none', day: '10', all: all({ lines: [] }), name: 'none' },
    ]);
    expect(await shop.api.rows('in.c-cells.plain')).toHaveLength(3);
    const [letter, ...others] = await deadLetters(shop, 'computed');
    expect(others).toEqual([]);
    expect(letter).toMatchObject({ reason: 'templateError', column: 'total', mapping_version: '1' });
    expect(letter?.['place']).toMatch(/^2:\d+-\d+$/);
    expect(letter?.['message']).not.toBe('');
    expect(Buffer.from(letter?.['body'] ?? '', 'base64').toString()).toBe(JSON.stringify(bad));
    expectConserved(await shop.progress('computed'), 2, 1);
    expectConserved(await shop.progress('plain'), 3);
  });

  it('D7: follows a change of its text, each row made by one version', async () => {
    const shop = installation.shop('changing');
    const table = (content: string) => ({
      tableId: 'in.c-changing.t',
      mapping: { columns: [template('made', content), { type: 'path', name: 'n', path: 'n' }] },
    });
    await shop.create([{ sinkId: 't', tableId: 'in.c-changing.t', columns: table('"one"').mapping.columns }]);
    const url = await shop.url();
    await post(url, { n: 1 });
    await shop.flush('t');
    await shop.api.task('PATCH', shop.sink('t'), { table: table('"two"') });
    await eventually(async () => {
      await post(url, { n: 2 });
      await shop.flush('t');
      expect(await shop.api.rows('in.c-changing.t')).toContainEqual({ made: '"two"', n: '2' });
    });
    const made = (await shop.api.rows('in.c-changing.t')).map((row) => row['made']);
    expect(new Set(made)).toEqual(new Set(['"one"', '"two"']));
  });
});

/** Each wants more than one limit allows, and is told so. */
const hostile: Readonly<Record<string, { readonly content: string; readonly message: string }>> = {
  endless: { content: 'local f(n) = f(n + 1) tailstrict; f(0)', message: 'limit steps exceeded' },
  deep: { content: 'local f(n) = 1 + f(n + 1); f(0)', message: 'max stack frames exceeded' },
  doubled: {
    content: 'local d(s, n) = if n == 0 then s else d(s + s, n - 1); d("x", 40)',
    message: 'limit textLength exceeded',
  },
  repeated: { content: 'std.repeat("x", 4000000000)', message: 'limit textLength exceeded' },
  ranged: { content: 'std.range(1, 1000000000000)', message: 'limit arrayLength exceeded' },
  combined: {
    content: '[x * y for x in std.range(1, 100000) for y in std.range(1, 100000)]',
    message: 'limit steps exceeded',
  },
};

describe('a hostile template', () => {
  it('D8: hits a limit, which is a dead letter of its sink; the others go on, and the process can be stopped meanwhile', async () => {
    const shop = installation.shop('hostile');
    const sinks = Object.entries(hostile).map(([sinkId, { content, message }]) => ({
      sinkId,
      message,
      tableId: `in.c-hostile.${sinkId}`,
      columns: [template('cell', content)],
    }));
    const healthy = { sinkId: 'healthy', tableId: 'in.c-hostile.healthy', columns: [template('n', 'Body("n") * 2')] };
    await shop.create([...sinks, healthy]);
    const url = await shop.url();
    const count = 20;
    for (let n = 0; n < count; n += 1) await post(url, { n });
    await eventually(async () => expect((await shop.progress('healthy')).totals.imported).toBe(count));
    // There are seconds of hostile work left, more than the process is given to stop.
    expect(await installation.stop('SIGTERM')).toBe('0');
    await installation.start();
    const again = installation.shop('hostile');
    for (const { sinkId } of [...sinks, healthy]) {
      await eventually(async () => expect(await again.progress(sinkId)).toMatchObject({ totals: { inFlight: 0 } }));
      await again.flush(sinkId);
    }
    for (const { sinkId, message } of sinks) {
      expectConserved(await again.progress(sinkId), 0, count);
      const letters = await deadLetters(again, sinkId);
      expect(new Set(letters.map(({ reason, column }) => `${reason} ${column}`))).toEqual(
        new Set(['templateLimit cell']),
      );
      for (const letter of letters) expect(letter['message']).toContain(message);
    }
    expectConserved(await again.progress('healthy'), count);
    expect((await again.api.rows('in.c-hostile.healthy')).map((row) => Number(row['n']))).toEqual(
      Array.from({ length: count }, (_, n) => 2 * n),
    );
  });
});
