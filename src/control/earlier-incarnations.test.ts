import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { importAll, stageAll } from '../../test/support/deliver.ts';

const S = '/v1/branches/default/sources';
const shop = `${S}/shop`;
const K = `${shop}/sinks/orders`;
const signal = new AbortController().signal;

let harness: AdminHarness;
let first: number;

beforeEach(async () => {
  harness = await startAdmin();
  const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks: [{ name: 'orders', table }] });
  first = (await progress()).incarnation;
  await send(3);
  await harness.api.task('DELETE', K);
});

afterEach(() => harness[Symbol.asyncDispose]());

interface Shown {
  readonly incarnation: number;
  readonly delivered: boolean;
}

const progress = (): Promise<Shown> => harness.api.call<Shown>('GET', `${K}/progress`);
const statistics = (): Promise<object> => harness.api.call<object>('GET', `${K}/statistics/total`);

async function send(count: number): Promise<void> {
  const records = Array.from({ length: count }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  await harness.dependencies.sourceLog.append({ topic: 'source.1.shop', partition: 0 }, records, { signal });
}

test('D4: a deleted sink still shows what it has to deliver, whatever comes after that', async () => {
  await send(5);
  expect(await progress()).toMatchObject({
    incarnation: first,
    takesEvents: false,
    delivered: false,
    flushRequested: true,
    totals: { accepted: 3, inFlight: 3 },
  });
  expect(await statistics()).toMatchObject({ total: { recordsCount: 3 }, levels: { local: { recordsCount: 3 } } });
});

test('D4: so it does when it has come back, apart from what it accepts since', async () => {
  await harness.api.task('PUT', `${K}/undelete`);
  await send(2);
  expect(await progress()).toMatchObject({
    takesEvents: true,
    delivered: false,
    totals: { accepted: 2 },
    earlier: [{ incarnation: first, takesEvents: false, delivered: false, totals: { accepted: 3, inFlight: 3 } }],
  });
  expect(await statistics()).toMatchObject({ levels: { local: { recordsCount: 5 } } });
  const page = await harness.api.call<{ sources: { sinks: { statistics: object }[] }[] }>(
    'GET',
    '/v1/branches/default/aggregation/sources',
  );
  expect(page.sources[0]?.sinks[0]?.statistics).toMatchObject({ total: { recordsCount: 5 } });
});

test('D4: a flush of a sink that came back ends when what it accepted before is delivered, too', async () => {
  await harness.api.task('PUT', `${K}/undelete`);
  await send(2);
  const { incarnation } = await progress();
  await stageAll(harness.dependencies, incarnation);
  await importAll(harness.dependencies, incarnation);
  expect(await progress()).toMatchObject({ delivered: false, totals: { accepted: 2, imported: 2 } });
  let isDone = false;
  const flush = harness.api.task('POST', `${K}/flush`).then(() => (isDone = true));
  await stageAll(harness.dependencies, first);
  expect(await progress()).toMatchObject({ earlier: [{ totals: { staged: 3, inFlight: 0 } }] });
  expect(isDone).toBe(false);
  await importAll(harness.dependencies, first);
  await flush;
  expect(await progress()).toMatchObject({ delivered: true, earlier: [{ delivered: true, totals: { imported: 3 } }] });
  expect(await statistics()).toMatchObject({ total: { recordsCount: 5 }, levels: { target: { recordsCount: 5 } } });
  expect(await harness.api.call('GET', `${K}/statistics/files`)).toMatchObject({
    files: [{ state: 'imported' }, { state: 'imported' }, { state: 'writing' }],
  });
});
