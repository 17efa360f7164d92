import { afterAll, beforeAll, describe, expect, it } from 'vitest';
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
  }, 60_000);

  it('D2: dead letters alone are imported, too, and a sink whose table is fine shows no error for them', async () => {
    const shop = installation.shop('onlydead');
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-onlydead.orders' }]);
    const url = await shop.url();
    for (let index = 0; index < 20; index += 1) await post(url, { body: 'not JSON', type: json });
    await shop.flush('orders');
    const progress = await shop.progress('orders');
    expect(progress.errors).toEqual([]);
    expectConserved(progress, 0, 20);
  }, 60_000);
});

async function deadLetters(api: { rows(tableId: string): Promise<readonly Readonly<Record<string, string>>[]> }) {
  const letters = await api.rows('sys.c-millrace.dead_letters');
  return new Map(letters.map((letter) => [letter['reason'] ?? '', letter]));
}
