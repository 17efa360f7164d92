import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { deadLetterTable } from '../../src/core/table-id.ts';
import { randomNumbers } from '../support/model/draw.ts';
import { eventually } from '../support/eventually.ts';
import { isLong } from '../support/long-tests.ts';
import { startProcess, type ProductProcess } from '../support/process.ts';
import { Shop } from '../support/shop.ts';

const letters = 10_000;
const kills = isLong ? 20 : 6;
const batch = 500;
const tableId = 'in.c-shop.orders';
const token = 'a-root-token-of-a-test-that-is-long-enough';

let folder: string;
let product: ProductProcess;
let shop: Shop;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-replay-'));
  await start();
});

afterEach(async () => {
  product.kill('SIGKILL');
  await product.ended;
  await rm(folder, { recursive: true, force: true });
});

async function start(): Promise<void> {
  product = await startProcess({
    env: {
      MILLRACE_DATA_DIR: join(folder, 'data'),
      MILLRACE_ADMIN_PORT: '0',
      MILLRACE_INGEST_PORT: '0',
      MILLRACE_ROOT_TOKEN: token,
      MILLRACE_LOG_LEVEL: 'warn',
    },
    endsWithParent: true,
  });
  shop = new Shop({ url: product.admin, token });
}

interface ReplayAnswer {
  readonly replay: { readonly state: string; readonly matching: number };
}

/** Takes about a millisecond for an event, so that a batch lasts. */
const mended = 'Body("n") + 0 * std.foldl(function(a, b) a + b, std.range(1, 1500), 0)';

const column = (content: string) => ({ type: 'template', name: 'n', template: { language: 'jsonnet', content } });

it('D2, D3, D4: dead letters that are replayed while the process is killed again and again are rows once, and the sum holds at each look', async () => {
  const seed = Date.now() % 1_000_000;
  const random = randomNumbers(seed);
  await shop.create([{ sinkId: 'orders', tableId, columns: [column('Body("wrong")'), { type: 'ip', name: 'ip' }] }]);
  for (let from = 0; from < letters; from += batch) {
    const body = Array.from({ length: batch }, (_, at) => `{"n":${from + at}}\n`).join('');
    const headers = { 'Content-Type': 'application/x-ndjson' };
    expect((await fetch(await shop.url(), { method: 'POST', body, headers })).status).toBe(200);
  }
  await shop.flush('orders');
  expect((await shop.progress('orders')).totals).toMatchObject({ dead: letters, imported: 0, difference: 0 });

  await shop.api.task('PATCH', shop.sink('orders'), {
    table: { tableId, mapping: { columns: [column(mended), { type: 'ip', name: 'ip' }] } },
  });
  const path = `${shop.sink('orders')}/dead-letters/replay`;
  const ask = (body: object) => shop.api.call<ReplayAnswer['replay']>('POST', path, body);
  expect(await ask({ limit: 100 })).toMatchObject({ state: 'running', matching: letters });
  expect((await shop.api.request('POST', path, {})).status).toBe(400);

  let [killed, looks] = [0, 0];
  const look = async (): Promise<ReplayAnswer['replay']> => {
    const { totals, alarm } = await shop.progress('orders');
    const { accepted, imported, dead, difference } = totals;
    expect([difference, imported + dead, alarm], `seed ${seed}`).toEqual([0, accepted, undefined]);
    looks += 1;
    return (await shop.api.call<ReplayAnswer>('GET', path)).replay;
  };
  const untilDone = async (): Promise<ReplayAnswer['replay']> =>
    eventually(async () => {
      const found = await look();
      expect(found).toMatchObject({ state: 'done' });
      return found;
    });
  while (killed < kills) {
    const { state } = await look();
    if (state !== 'running') await ask({ limit: 450 });
    await sleep(random() * 600);
    product.kill('SIGKILL');
    await product.ended;
    killed += 1;
    await start();
  }
  await untilDone();
  const { matching } = await ask({});
  expect(matching, `letters that no kill let through, seed ${seed}`).toBeGreaterThan(0);
  expect(await untilDone()).toMatchObject({ seen: matching, rows: matching, refused: 0 });
  expect(looks).toBeGreaterThan(kills);
  expect(await shop.numbersIn(tableId)).toEqual(Array.from({ length: letters }, (_, n) => n));
  expect(new Set((await shop.api.rows(tableId)).map(({ ip }) => ip))).toEqual(new Set(['127.0.0.1']));
  expect(await shop.api.rows(deadLetterTable)).toEqual([]);
  expect((await shop.progress('orders')).totals).toMatchObject({ dead: 0, imported: letters, difference: 0 });
});
