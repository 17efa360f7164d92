import { afterAll, beforeAll, expect, it } from 'vitest';
import { composeProduct, type ComposedProduct } from '../support/composed-product.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import type { Shop } from '../support/shop.ts';
import { postNumber, startTimedSender, taken, type SentEvent } from '../support/timed-sender.ts';

const never = { signal: new AbortController().signal };

let product: ComposedProduct;

beforeAll(async () => {
  product = await composeProduct();
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

/** Sends for a while; resolves when so many events were taken. */
async function send(url: string, { first, count }: { readonly first: number; readonly count: number }) {
  const sender = startTimedSender({ url, connections: 4, first });
  await eventually(async () => expect(taken(sender.events).length).toBeGreaterThanOrEqual(count));
  return sender.stop();
}

/** Numbers of events that the table of a sink must hold, and those that its present incarnation brought there. */
async function expectDelivered(shop: Shop, { sent, since }: { sent: readonly SentEvent[]; since: number }) {
  await shop.flush('orders');
  const tableId = `in.c-${shop.path.split('/').at(-1)}.orders`;
  const accepted = taken(sent).length;
  await eventually(async () => expect(await shop.numbersIn(tableId)).toHaveLength(accepted));
  expectExactlyOnce(await shop.numbersIn(tableId), sent);
  expectConserved(await shop.progress('orders'), since);
}

it('D2, D3, D4, D7: a sink that is deleted and undeleted has the events of before and after, each once', async () => {
  const shop = product.shop('sinks');
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-sinks.orders' }]);
  const url = await shop.url();
  const before = await send(url, { first: 1, count: 300 });
  await shop.api.task('DELETE', shop.sink('orders'));
  await send(url, { first: 100_000, count: 50 });
  await shop.api.task('PUT', `${shop.sink('orders')}/undelete`);
  const after = await send(url, { first: 200_000, count: 300 });
  await expectDelivered(shop, { sent: [...before, ...after], since: taken(after).length });
});

it('D2, D3, D4, D7: a source that is deleted and undeleted while senders send has what it took, each once', async () => {
  const shop = product.shop('sources');
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-sources.orders' }]);
  const url = await shop.url();
  const sender = startTimedSender({ url, connections: 4, pauseMs: 1 });
  await eventually(async () => expect(taken(sender.events).length).toBeGreaterThan(300));
  await shop.api.task('DELETE', shop.path);
  expect(await postNumber({ url, number: 1_000_000 })).toMatchObject({ status: 404 });
  await shop.api.task('PUT', `${shop.path}/undelete`);
  expect(await shop.url()).toBe(url);
  const again = performance.now();
  await eventually(async () =>
    expect(taken(sender.events).filter(({ startedAt }) => startedAt > again).length).toBeGreaterThan(300),
  );
  const sent = await sender.stop();
  const refused = sent.filter(({ status }) => status !== 200);
  expect(new Set(refused.map(({ status }) => status))).toEqual(new Set([404]));
  const gap = refused.map(({ endedAt }) => endedAt).toSorted((a, b) => a - b)[0] ?? 0;
  const since = taken(sent).filter(({ startedAt }) => startedAt > gap).length;
  await expectDelivered(shop, { sent, since });
});

it('D7: a secret that was rotated away is refused at once, or when its overlap is over', async () => {
  const shop = product.shop('secrets');
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-secrets.orders' }]);
  const urls = [await shop.url()];
  const statusOf = async (url = '', number = 0): Promise<number | undefined> =>
    (await postNumber({ url, number })).status;
  const rotate = async (query = ''): Promise<void> => {
    await shop.api.call('POST', `${shop.path}/rotate-secret${query}`);
    urls.push(await shop.url());
  };
  await rotate();
  await eventually(async () => expect(await statusOf(urls[1], 1)).toBe(200));
  expect(await statusOf(urls[0], 2)).toBe(404);
  await rotate('?overlap=5s');
  await eventually(async () => expect(await statusOf(urls[2], 3)).toBe(200));
  expect(await statusOf(urls[1], 4)).toBe(200);
  await eventually(async () => expect(await statusOf(urls[1], 5)).toBe(404));
  expect([await statusOf(urls[0], 6), await statusOf(urls[2], 7)]).toEqual([404, 200]);
  await shop.flush('orders');
  const numbers = await shop.numbersIn('in.c-secrets.orders');
  expect([numbers.includes(3), numbers.includes(4), numbers.includes(6), numbers.includes(7)]).toEqual([
    true,
    true,
    false,
    true,
  ]);
});

it('D4, D7: a source that is deleted with its tables while senders send leaves nothing; one made anew is its own', async () => {
  const shop = product.shop('gone');
  const { catalog, sinkLog } = product.ports;
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-gone.orders' }]);
  const url = await shop.url();
  const sender = startTimedSender({ url, connections: 4, pauseMs: 1 });
  await eventually(async () => expect(taken(sender.events).length).toBeGreaterThan(300));
  const { incarnation } = await shop.progress('orders');
  await shop.api.task('DELETE', `${shop.path}?cascade=true`);
  expect(await product.tables.listTables(never)).not.toContainEqual(
    expect.objectContaining({ tableId: 'in.c-gone.orders' }),
  );
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-gone.orders' }]);
  expect((await shop.progress('orders')).incarnation).toBeGreaterThan(incarnation);
  const sent = await send(await shop.url(), { first: 1_000_000, count: 300 });
  await sender.stop();
  await expectDelivered(shop, { sent, since: taken(sent).length });
  await eventually(async () => {
    const topics = await sinkLog.listTopics('sink.', never);
    expect(topics.filter((name) => name.endsWith(`.${incarnation}`))).toEqual([]);
    const suffix = String(incarnation).padStart(15, '0');
    for (const collection of ['progress', 'mapping', 'import-history', 'sink-status'] as const)
      expect(await catalog.count(collection, suffix, never), collection).toBe(0);
    expect(await product.tables.readLedger(incarnation as never, never)).toBeUndefined();
  });
});
