import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { stageAll } from '../../test/support/deliver.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import type { Incarnation } from '../core/ids.ts';

const K = '/v1/branches/default/sources/shop/sinks/orders';
const signal = new AbortController().signal;

let harness: AdminHarness;
let incarnation: Incarnation;

beforeAll(async () => {
  // What takes 15 seconds takes a half.
  const clock = { ...systemClock, monotonic: () => systemClock.monotonic() * 30 };
  harness = await startAdmin((given) => ({ ...given, clock }));
  const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
  const sinks = [{ name: 'orders', table }];
  await harness.api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'shop', sinks });
  const [found] = await harness.dependencies.catalog.list({ collection: 'progress', prefix: '' }, { signal });
  incarnation = progressDocuments.parse(found?.value).incarnation;
  const records = [{ value: Buffer.from('{}'), headers: [], timestamp: 1 }];
  await harness.dependencies.sourceLog.append({ topic: 'source.1.shop', partition: 0 }, records, { signal });
});

afterAll(() => harness[Symbol.asyncDispose]());

/** A process says which of its roles miss a server. */
async function missing(process: string, roles: readonly string[]): Promise<void> {
  const { catalog, clock } = harness.dependencies;
  const servers = [{ server: 'log (kafka)', roles, message: 'Away.', since: new Date(0).toISOString() }];
  const value = { process, servers, at: new Date(clock.now()).toISOString() };
  await catalog.compareAndSet(
    { collection: 'meta', id: `missing-servers/${process}`, expected: undefined, value },
    { signal },
  );
}

test('L5: a flush that does not move says which servers are missing for what comes next, and no others', async () => {
  await missing('mapper', ['ingest', 'map']);
  await missing('importer', ['import']);
  await expect(harness.api.task('POST', `${K}/flush`)).rejects.toThrow(
    /: Nothing has moved for 15 seconds: 1 events are not staged yet, 0 wait for their import; map of mapper without log \(kafka\) since 1970[^;]*: Away\.$/,
  );
  await stageAll(harness.dependencies, incarnation);
  await expect(harness.api.task('POST', `${K}/flush`)).rejects.toThrow(
    /: Nothing has moved for 15 seconds: 0 events are not staged yet, 1 wait for their import; import of importer without log[^;]*: Away\.$/,
  );
});
