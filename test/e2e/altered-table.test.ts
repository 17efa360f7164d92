import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { numberColumns, type Column, type Shop } from '../support/shop.ts';
import { startTimedSender, type SentEvent } from '../support/timed-sender.ts';

/**
 * How long a change that was asked for may go on before its process is killed: most often these end before it begins, in it, and behind it.
 */
const killedAfterMs = [0, 25, 35, 45, 70];

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

/** A cell with the number of its event: whatever becomes of the column, it must never hold that of another. */
const numbered = (name: string): Column => ({ type: 'path', name, path: 'n' });

interface Alteration {
  readonly columns: readonly Column[];
  readonly renamed?: readonly { readonly from: string; readonly to: string }[];
}

/** One after the other: a column comes, is renamed, gets another beside it, and goes. */
const alterations: readonly Alteration[] = [
  { columns: [...numberColumns, numbered('x')] },
  { columns: [...numberColumns, numbered('y')], renamed: [{ from: 'x', to: 'y' }] },
  { columns: [...numberColumns, numbered('y'), numbered('z')] },
  { columns: numberColumns },
];

async function altered(sourceId: string): Promise<Shop> {
  const shop = installation.shop(sourceId);
  await shop.create([{ sinkId: 'orders', tableId: `in.c-${sourceId}.orders` }]);
  return shop;
}

const tableOf = ({ path }: Shop): string => `in.c-${path.split('/').at(-1)}.orders`;

const alter = (shop: Shop, step: number): Promise<unknown> =>
  shop.api.task('PATCH', shop.sink('orders'), alteration(step));

/** Resolves as soon as the change is asked for. */
const beginToAlter = (shop: Shop, step: number): Promise<unknown> =>
  shop.api.call('PATCH', shop.sink('orders'), alteration(step));

function alteration(step: number): object {
  const { columns = [], renamed } = alterations[step % alterations.length] ?? {};
  return { table: { mapping: { columns }, alter: true, ...(renamed === undefined ? {} : { renamed }) } };
}

/** The columns of the table, which are those of the sink as soon as nothing is half done. */
async function agreedColumns(shop: Shop): Promise<readonly string[]> {
  return eventually(async () => {
    const sink = await shop.api.call<{ table: { mapping: { columns: readonly Column[] } } }>(
      'GET',
      shop.sink('orders'),
    );
    const table = await shop.api.call<{ columns: readonly string[] }>('GET', `/v2/storage/tables/${tableOf(shop)}`);
    expect(table.columns).toEqual(sink.table.mapping.columns.map(({ name }) => name));
    return table.columns;
  });
}

async function expectWhole(shop: Shop, events: readonly SentEvent[]): Promise<void> {
  await shop.flush('orders');
  const rows = await shop.api.rows(tableOf(shop));
  const numbers = rows.map((row) => Number(row['n']));
  expectExactlyOnce(numbers, events);
  const wrong = rows.filter((row) => ['x', 'y', 'z'].some((name) => !['', undefined, row['n']].includes(row[name])));
  expect(wrong, 'cells of another row or column').toEqual([]);
  expectConserved(await shop.progress('orders'), rows.length);
}

it('A49, D3: a table that two change at once while it is imported into has each row once, each cell in its place', async () => {
  const shop = await altered('race');
  const sender = startTimedSender({ url: await shop.url(), connections: 4, pauseMs: 1 });
  for (let round = 0; round < 8; round += 1) {
    const outcomes = await Promise.allSettled([alter(shop, round), alter(shop, round + 1)]);
    const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [String(outcome.reason)] : []));
    for (const reason of refused)
      expect(reason).toMatch(/Another operation \(update\) runs on the same object|renamed/);
    await agreedColumns(shop);
  }
  await expectWhole(shop, await sender.stop());
  await shop.api.task('DELETE', shop.path);
});

it('A49, D2, D3: a process that is killed while it changes a table leaves sink and table that fit, and no row behind', async () => {
  let shop = await altered('killed');
  const events: SentEvent[] = [];
  let hasX = false;
  for (const afterMs of killedAfterMs) {
    const first = 1 + Math.max(0, ...events.map(({ number }) => number));
    const sender = startTimedSender({ url: await shop.url(), connections: 2, pauseMs: 1, first });
    await eventually(() => expect(sender.events.length).toBeGreaterThan(20));
    const change = beginToAlter(shop, hasX ? 3 : 0).catch(String);
    await Promise.race([change, sleep(15)]);
    await sleep(afterMs);
    await installation.stop('SIGKILL');
    await change;
    events.push(...(await sender.stop()));
    await installation.start();
    shop = installation.shop('killed');
    hasX = (await agreedColumns(shop)).includes('x');
  }
  await expectWhole(shop, events);
});
