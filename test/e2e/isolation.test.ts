import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseTableId } from '../../src/core/table-id.ts';
import { composeProduct, type ComposedProduct } from '../support/composed-product.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce, twice } from '../support/exactly-once.ts';
import { numberColumns, type Shop } from '../support/shop.ts';
import { startTimedSender, taken } from '../support/timed-sender.ts';

const never = new AbortController().signal;
const broken = parseTableId('in.c-shop.broken');
const healthy = parseTableId('in.c-shop.healthy');
let product: ComposedProduct;

beforeAll(async () => {
  product = await composeProduct();
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

/** Waits until the sink says that it cannot go on. */
async function trouble(shop: Shop, sinkId: string, code: string) {
  return eventually(async () => {
    const [error] = (await shop.progress(sinkId)).errors;
    if (error?.code !== code) throw new Error(`no trouble with ${code} yet`);
    return error;
  });
}

async function delivered(shop: Shop, sinkId: string): Promise<void> {
  await eventually(async () => {
    const { delivered: isDelivered, errors, totals } = await shop.progress(sinkId);
    expect({ isDelivered, errors, totals }).toMatchObject({ isDelivered: true, errors: [] });
  });
}

/**
 * Breaks the table of sink "broken" under load, checks that only this sink stops and says why, heals it, and compares
 * tables and numbers.
 */
async function breakAndHeal(
  shop: Shop,
  { code, breakIt, healIt }: { code: string; breakIt: () => Promise<void>; healIt: () => Promise<void> },
): Promise<void> {
  const sender = startTimedSender({ url: await shop.url(), connections: 4, pauseMs: 4 });
  await eventually(async () => expect((await shop.progress('broken')).totals.imported).toBeGreaterThan(50));
  await breakIt();
  const error = await trouble(shop, 'broken', code);
  expect(error.role).toBe('import');
  expect(error.message).toContain('in.c-shop.');
  expect(Date.parse(error.since)).toBeLessThanOrEqual(Date.now());
  expect(Date.parse(error.nextTryAt)).toBeGreaterThan(Date.parse(error.lastTryAt));
  const { totals } = await shop.progress('healthy');
  await eventually(async () =>
    expect((await shop.progress('healthy')).totals.imported).toBeGreaterThan(totals.imported + 100),
  );
  expect((await shop.progress('healthy')).errors).toEqual([]);
  await eventually(async () => expect((await shop.progress('broken')).errors[0]?.attempts).toBeGreaterThan(1));
  await healIt();
  await eventually(async () => expect((await shop.progress('broken')).errors).toEqual([]));
  const events = await sender.stop();
  await delivered(shop, 'broken');
  await delivered(shop, 'healthy');
  const { imported } = (await shop.progress('healthy')).totals;
  expectConserved(await shop.progress('healthy'), imported);
  expect(imported).toBe(taken(events).length);
  expectConserved(await shop.progress('broken'), taken(events).length);
}

describe('a sink whose destination fails', () => {
  it('D6: stops alone when its table is dropped, and imports what was staged when the table is back', async () => {
    const shop = product.shop('dropped');
    await shop.create([
      { sinkId: 'broken', tableId: broken },
      { sinkId: 'healthy', tableId: healthy },
    ]);
    await breakAndHeal(shop, {
      code: 'table.notFound',
      breakIt: () => product.tables.dropTable(broken, { signal: never }),
      healIt: () => product.tables.createTable(broken, ['id', 'n'], { signal: never }),
    });
    const kept = await shop.numbersIn(broken);
    const all = await shop.numbersIn(healthy);
    expect(twice(kept)).toEqual([]);
    // What was imported before the drop went with the table: what is there is the end of all that was sent.
    expect(kept.length).toBeGreaterThan(0);
    expect(all.slice(-kept.length / 2)).toEqual(kept.slice(-kept.length / 2));
  });

  it('D6: stops alone when its table has other columns, and imports what was staged when they fit again', async () => {
    const shop = product.shop('altered');
    const tableId = parseTableId('in.c-shop.altered');
    await shop.create([
      { sinkId: 'broken', tableId },
      { sinkId: 'healthy', tableId: 'in.c-shop.unaltered' },
    ]);
    await breakAndHeal(shop, {
      code: 'table.schemaMismatch',
      breakIt: async () => {
        await product.tables.dropTable(tableId, { signal: never });
        await product.tables.createTable(tableId, ['id', 'n', 'more'], { signal: never });
      },
      healIt: async () => {
        await product.tables.dropTable(tableId, { signal: never });
        await product.tables.createTable(tableId, ['id', 'n'], { signal: never });
      },
    });
    expect(twice(await shop.numbersIn(tableId))).toEqual([]);
  });

  it('D6: stops alone when its token is deleted; disabling and enabling it makes a new one, and nothing is lost', async () => {
    const shop = product.shop('revoked');
    await shop.create([
      { sinkId: 'broken', tableId: 'in.c-shop.revoked' },
      { sinkId: 'healthy', tableId: 'in.c-shop.unrevoked' },
    ]);
    const sender = startTimedSender({ url: await shop.url(), connections: 2, pauseMs: 4 });
    await eventually(async () => expect((await shop.progress('broken')).totals.imported).toBeGreaterThan(0));
    await deleteToken(shop, 'revoked/broken');
    const error = await trouble(shop, 'broken', 'sink.tokenMissing');
    expect(error.message).toContain('disable and enable');
    const { imported } = (await shop.progress('healthy')).totals;
    await eventually(async () => expect((await shop.progress('healthy')).totals.imported).toBeGreaterThan(imported));
    const events = await sender.stop();
    await shop.api.task('PUT', `${shop.sink('broken')}/disable`);
    await shop.api.task('PUT', `${shop.sink('broken')}/enable`);
    for (const [sinkId, tableId] of [
      ['broken', 'in.c-shop.revoked'],
      ['healthy', 'in.c-shop.unrevoked'],
    ] as const) {
      await delivered(shop, sinkId);
      const rows = await shop.numbersIn(tableId);
      expectExactlyOnce(rows, events);
      expectConserved(await shop.progress(sinkId), rows.length);
    }
  });

  it('D6: goes on with a new table while slices of the old mapping wait for theirs', async () => {
    const shop = product.shop('moved');
    const gone = parseTableId('in.c-shop.gone');
    await shop.create([{ sinkId: 'broken', tableId: gone }]);
    const sender = startTimedSender({ url: await shop.url(), connections: 2, pauseMs: 4 });
    await eventually(async () => expect((await shop.progress('broken')).totals.imported).toBeGreaterThan(0));
    await product.tables.dropTable(gone, { signal: never });
    await eventually(async () => expect((await shop.progress('broken')).errors[0]?.attempts).toBeGreaterThan(2));
    const columns = [...numberColumns, { type: 'datetime', name: 'at' }];
    await shop.api.task('PATCH', shop.sink('broken'), { table: { tableId: 'in.c-shop.came', mapping: { columns } } });
    await eventually(async () => expect((await shop.numbersIn('in.c-shop.came')).length).toBeGreaterThan(0));
    const still = await shop.progress('broken');
    expect(still.parked?.rows).toBeGreaterThan(0);
    expect(still.errors[0]).toMatchObject({ code: 'table.notFound' });
    const events = await sender.stop();
    await product.tables.createTable(gone, ['id', 'n'], { signal: never });
    // A change of the sink makes the next try come at once.
    await shop.api.task('PATCH', shop.sink('broken'), { description: 'Its old table is back.' });
    await delivered(shop, 'broken');
    const both = [...(await shop.numbersIn(gone)), ...(await shop.numbersIn('in.c-shop.came'))];
    expect(twice(both)).toEqual([]);
    expectConserved(await shop.progress('broken'), taken(events).length);
  });
});

async function deleteToken(shop: Shop, name: string): Promise<void> {
  const tokens = await shop.api.call<{ id: string; description: string }[]>('GET', '/v2/storage/tokens');
  for (const { id, description } of tokens)
    if (description === `[_internal] Stream Sink ${name}`) await shop.api.call('DELETE', `/v2/storage/tokens/${id}`);
}
