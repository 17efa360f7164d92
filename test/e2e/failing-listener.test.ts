import { pathToFileURL } from 'node:url';
import { BroadcastChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { builtEntry } from '../support/built-entry.ts';
import { composeProduct, type ComposedProduct } from '../support/composed-product.ts';
import { eventually } from '../support/eventually.ts';
import { failListenerAt } from '../support/fail-listener-at.ts';

let product: ComposedProduct;

beforeAll(async () => {
  product = await composeProduct({ threadEntry: pathToFileURL(await builtEntry('failing-listener-thread')) });
});

afterAll(async () => {
  await product[Symbol.asyncDispose]();
});

async function failuresOf(service: string): Promise<string | undefined> {
  const page = await (await fetch(`${product.admin}/metrics`)).text();
  return page.split('\n').find((line) => line.startsWith(`millrace_service_failures_total{service="${service}"`));
}

describe('a listener that fails', () => {
  it('ingest listens again at the same address, and the process is not ready until it does', async () => {
    const shop = product.shop();
    await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.orders' }]);
    const url = await shop.url();
    const body = '{"n":1}';
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    const channel = new BroadcastChannel('fail-listener');
    channel.postMessage(Number(new URL(url).port));
    const unready = await eventually(
      async () => {
        const ready = await fetch(`${product.admin}/health/ready`);
        expect(ready.status).toBe(503);
        return ready.text();
      },
      { everyMs: 1 },
    );
    expect(unready).toContain('\\"ingest\\" failed and starts again');
    await eventually(async () => expect((await fetch(`${product.admin}/health/ready`)).status).toBe(200));
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200);
    expect(await failuresOf('ingest')).toMatch(/ 1$/);
    expect(await shop.url()).toBe(url);
    channel.close();
  });

  it('the admin API listens again at the same address and takes commands', async () => {
    const other = product.shop('other');
    expect(failListenerAt(Number(new URL(product.admin).port))).toBe(true);
    await eventually(async () => expect(await failuresOf('admin')).toMatch(/ 1$/));
    await eventually(async () => other.create([{ sinkId: 'orders', tableId: 'in.c-other.orders' }]));
    expect((await fetch(await other.url(), { method: 'POST', body: '{"n":1}' })).status).toBe(200);
  });
});
