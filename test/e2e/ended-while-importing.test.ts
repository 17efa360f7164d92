import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { progressId } from '../../src/documents/document-id.ts';
import { parseIncarnation } from '../../src/core/ids.ts';
import type { ImportRequest } from '../../src/ports/import-ledger.ts';
import { composeProduct, type ComposedProduct } from '../support/composed-product.ts';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { replaced } from '../support/faults/replaced.ts';
import type { Shop } from '../support/shop.ts';
import { startTimedSender, taken, type SentEvent } from '../support/timed-sender.ts';

const never = { signal: new AbortController().signal };

/** Imports into a table wait here, each before the store has seen it. */
class Gate {
  #tableId = '';
  #arrived = Promise.withResolvers<void>();
  #opened = Promise.withResolvers<void>();

  close(tableId: string): void {
    this.#tableId = tableId;
    this.#arrived = Promise.withResolvers<void>();
    this.#opened = Promise.withResolvers<void>();
  }

  /** Resolves when an import stands before it. */
  get arrived(): Promise<void> {
    return this.#arrived.promise;
  }

  open(): void {
    this.#tableId = '';
    this.#opened.resolve();
  }

  async pass({ tableId }: ImportRequest): Promise<void> {
    if (tableId !== this.#tableId) return;
    this.#arrived.resolve();
    await this.#opened.promise;
  }
}

const gate = new Gate();
let product: ComposedProduct;

beforeAll(async () => {
  product = await composeProduct({
    threads: 2,
    behind: (tables) =>
      replaced(tables, {
        import: async (request, options) => {
          await gate.pass(request);
          return tables.import(request, options);
        },
      }),
  });
});

afterAll(async () => {
  gate.open();
  await product[Symbol.asyncDispose]();
});

async function send(shop: Shop, first: number): Promise<readonly SentEvent[]> {
  const sender = startTimedSender({ url: await shop.url(), connections: 6, first, pauseMs: 1 });
  await eventually(() => expect(taken(sender.events).length).toBeGreaterThan(400));
  return sender.stop();
}

/** Everything that names an incarnation. */
async function leftovers(number: number): Promise<readonly string[]> {
  const { catalog, sinkLog } = product.ports;
  const incarnation = parseIncarnation(number);
  const found: string[] = [];
  for (const collection of ['progress', 'mapping', 'sink-status', 'import-history'] as const)
    if ((await catalog.count(collection, progressId(incarnation), never)) > 0) found.push(collection);
  const topics = await sinkLog.listTopics('sink.', never);
  found.push(...topics.filter((name) => name.endsWith(`.${number}`)));
  if ((await product.tables.readLedger(incarnation, never)) !== undefined) found.push('ledger');
  return found;
}

function goes(incarnation: number): Promise<void> {
  return eventually(async () => expect(await leftovers(incarnation)).toEqual([]));
}

/** Nothing of the process has failed, and no alarm is open. */
async function isWell(): Promise<void> {
  const page = await (await fetch(`${product.admin}/metrics`)).text();
  expect(page).not.toMatch(/^millrace_service_failures_total\{/m);
  expect(page).not.toMatch(/^millrace_open_alarms\{.*\} [1-9]/m);
  expect(await (await fetch(`${product.admin}/health/ready`)).text()).toContain('"ready"');
}

describe('an import that runs while', () => {
  it('D3, D4: its source is deleted with its tables loads nothing into a table that is made anew under the name', async () => {
    const shop = product.shop('erased');
    const sinks = [{ sinkId: 'orders', tableId: 'in.c-erased.orders' }];
    await shop.create(sinks);
    gate.close('in.c-erased.orders');
    await send(shop, 1);
    await gate.arrived;
    const { incarnation } = await shop.progress('orders');
    await shop.api.task('DELETE', `${shop.path}?cascade=true`);
    await shop.create(sinks);
    gate.open();
    const events = await send(shop, 1_000_000);
    await shop.flush('orders');
    await goes(incarnation);
    const rows = await shop.numbersIn('in.c-erased.orders');
    expectExactlyOnce(rows, events);
    expectConserved(await shop.progress('orders'), rows.length);
    await isWell();
  });

  it.each(['disable', 'delete'] as const)(
    'D2, D3, D4: its sink ends by %s is finished, and all that was accepted before is delivered once',
    async (verb) => {
      const shop = product.shop(`ended-${verb}`);
      const tableId = `in.c-ended.${verb}`;
      await shop.create([{ sinkId: 'orders', tableId }]);
      gate.close(tableId);
      const events = await send(shop, 1);
      await gate.arrived;
      const { incarnation } = await shop.progress('orders');
      if (verb === 'delete') await shop.api.task('DELETE', shop.sink('orders'));
      else await shop.api.task('PUT', `${shop.sink('orders')}/disable`);
      const later = await send(shop, 1_000_000);
      gate.open();
      await (verb === 'delete' ? goes(incarnation) : shop.flush('orders'));
      const rows = await shop.numbersIn(tableId);
      expectExactlyOnce(rows, events);
      expect(taken(later).length).toBeGreaterThan(400);
      if (verb === 'disable') expectConserved(await shop.progress('orders'), rows.length);
      await isWell();
    },
  );
});

it.each([true, false])(
  'D2: a sink that has delivered all, and is deleted, leaves nothing: disabled before: %s',
  async (isDisabled) => {
    const shop = product.shop(`idle-${isDisabled}`);
    await shop.create([{ sinkId: 'orders', tableId: `in.c-idle.${isDisabled}` }]);
    const events = await send(shop, 1);
    await shop.flush('orders');
    const { incarnation } = await shop.progress('orders');
    if (isDisabled) await shop.api.task('PUT', `${shop.sink('orders')}/disable`);
    await shop.api.task('DELETE', shop.sink('orders'));
    await goes(incarnation);
    expectExactlyOnce(await shop.numbersIn(`in.c-idle.${isDisabled}`), events);
    await isWell();
  },
);
