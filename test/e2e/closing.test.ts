import { afterAll, beforeAll, expect, it } from 'vitest';
import { composeProduct, type ComposedProduct } from '../support/composed-product.ts';
import { eventually } from '../support/eventually.ts';
import type { Shop } from '../support/shop.ts';
import { postNumber } from '../support/timed-sender.ts';

/** Triggers that nothing in a test meets. */
const patient = { uploadCount: 10_000_000, uploadInterval: '30m', importCount: 10_000_000, importInterval: '24h' };

let product: ComposedProduct;

beforeAll(async () => {
  product = await composeProduct();
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

/** A source whose sink `orders` has accepted three events, none of which a trigger will ever move. */
async function shopThatWaits(sourceId: string): Promise<Shop> {
  const shop = product.shop(sourceId);
  await shop.create([{ sinkId: 'orders', tableId: `in.c-${sourceId}.orders` }], patient);
  const url = await shop.url();
  for (const number of [1, 2, 3]) expect((await postNumber({ url, number })).status).toBe(200);
  return shop;
}

it('D4: a sink that is deleted and undeleted keeps its statistics, also when nothing of the deleted one is left', async () => {
  const shop = await shopThatWaits('back');
  const recordsAt = async (level: string): Promise<number> => {
    const path = `${shop.sink('orders')}/statistics/total`;
    const { levels } = await shop.api.call<{ levels: Record<string, { recordsCount: number }> }>('GET', path);
    return levels[level]?.recordsCount ?? 0;
  };
  await shop.api.task('DELETE', shop.sink('orders'));
  await eventually(async () => expect(await recordsAt('target')).toBe(3));
  await eventually(async () =>
    expect((await shop.api.request('GET', `${shop.sink('orders')}/progress`)).status).toBe(404),
  );
  expect(await recordsAt('target')).toBe(3);
  await shop.api.task('PUT', `${shop.sink('orders')}/undelete`);
  expect((await postNumber({ url: await shop.url(), number: 4 })).status).toBe(200);
  await shop.flush('orders');
  expect([await recordsAt('target'), (await shop.progress('orders')).totals.imported]).toEqual([4, 1]);
  await shop.api.call('DELETE', `${shop.sink('orders')}/statistics/clear`);
  expect(await recordsAt('target')).toBe(0);
});

it.each([
  ['a sink is disabled', 'disabled', (shop: Shop) => shop.api.task('PUT', `${shop.sink('orders')}/disable`)],
  ['a sink is deleted', 'ended', (shop: Shop) => shop.api.task('DELETE', shop.sink('orders'))],
  ['its source is disabled', 'sleeping', (shop: Shop) => shop.api.task('PUT', `${shop.path}/disable`)],
  ['its source is deleted', 'gone', (shop: Shop) => shop.api.task('DELETE', shop.path)],
])(
  'D2, D3, D5: what was accepted before %s is in the table at once, whatever its triggers',
  async (_, sourceId, end) => {
    const shop = await shopThatWaits(sourceId);
    await end(shop);
    await eventually(async () => expect(await shop.numbersIn(`in.c-${sourceId}.orders`)).toEqual([1, 2, 3]));
  },
);
