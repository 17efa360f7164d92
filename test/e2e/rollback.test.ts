import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { expectConserved, expectExactlyOnce } from '../support/exactly-once.ts';
import { Installation } from '../support/installation.ts';
import { numberColumns } from '../support/shop.ts';
import { startTimedSender } from '../support/timed-sender.ts';

let installation: Installation;

beforeAll(async () => {
  installation = await Installation.start();
});

afterAll(async () => {
  await installation[Symbol.asyncDispose]();
});

interface VersionList {
  readonly versions: readonly { readonly number: number; readonly hash: string; readonly description: string }[];
}

it('D2, D3, D7: a sink that is rolled back while events come gives each of them to one of its two tables, once', async () => {
  const shop = installation.shop();
  await shop.create([{ sinkId: 'orders', tableId: 'in.c-shop.first' }]);
  const sink = shop.sink('orders');
  const sender = startTimedSender({ url: await shop.url(), connections: 4, pauseMs: 1 });
  const grow = async (): Promise<void> => {
    const { imported } = (await shop.progress('orders')).totals;
    await eventually(async () =>
      expect((await shop.progress('orders')).totals.imported).toBeGreaterThan(imported + 50),
    );
  };
  await grow();
  const columns = [...numberColumns, { type: 'datetime', name: 'at' }];
  await shop.api.task('PATCH', sink, { table: { tableId: 'in.c-shop.second', mapping: { columns } } });
  await grow();
  await shop.api.task('PUT', `${sink}/versions/1/rollback`);
  await grow();
  await shop.api.task('PUT', `${sink}/versions/2/rollback`);
  await grow();
  const events = await sender.stop();
  await shop.flush('orders');

  const [first, second] = [await shop.numbersIn('in.c-shop.first'), await shop.numbersIn('in.c-shop.second')];
  expectExactlyOnce([...first, ...second], events);
  expectConserved(await shop.progress('orders'), first.length + second.length);
  const { versions } = await shop.api.call<VersionList>('GET', `${sink}/versions`);
  expect(versions.map(({ description }) => description)).toEqual([
    'New sink.',
    'Updated.',
    'Rollback to version "1".',
    'Rollback to version "2".',
  ]);
  expect(versions[2]?.hash).toBe(versions[0]?.hash);
  expect(versions[3]?.hash).toBe(versions[1]?.hash);
});
