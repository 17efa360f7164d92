import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { anyText } from '../../test/support/matching.ts';
import { change, importAll, stageAll } from '../../test/support/deliver.ts';
import { importId, progressId, statusId } from '../documents/document-id.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import { park } from '../core/progress/parked.ts';
import type { Incarnation } from '../core/ids.ts';
import type { ImportNote } from '../core/import-note.ts';
import type { SinkStatus } from '../core/sink-status.ts';

const K = '/v1/branches/default/sources/shop/sinks/orders';
const signal = new AbortController().signal;

let harness: AdminHarness;
let incarnation: Incarnation;

beforeAll(async () => {
  harness = await startAdmin();
  const table = { tableId: 'in.c-shop.orders', mapping: { columns: [{ type: 'uuid', name: 'id' }] } };
  await harness.api.task('POST', '/v1/branches/default/sources', {
    type: 'http',
    name: 'shop',
    sinks: [{ name: 'orders', table }],
  });
  const [found] = await harness.dependencies.catalog.list({ collection: 'progress', prefix: '' }, { signal });
  incarnation = progressDocuments.parse(found?.value).incarnation;
});

afterAll(() => harness[Symbol.asyncDispose]());

async function send(count: number): Promise<void> {
  const records = Array.from({ length: count }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  await harness.dependencies.sourceLog.append({ topic: 'source.1.shop', partition: 0 }, records, { signal });
}

async function report(changes: Partial<SinkStatus>): Promise<void> {
  const { catalog } = harness.dependencies;
  const id = statusId(incarnation, 'import', 'main');
  const now = new Date().toISOString();
  const value: SinkStatus = {
    incarnation,
    role: 'import',
    code: 'table.notFound',
    message: 'no table',
    since: now,
    lastTryAt: now,
    nextTryAt: new Date(Date.now() + 60_000).toISOString(),
    attempts: 1,
    ...changes,
  };
  const found = await catalog.get('sink-status', id, { signal });
  await catalog.compareAndSet({ collection: 'sink-status', id, expected: found?.revision, value }, { signal });
}

test('a flush ends when everything accepted before the call is imported', async () => {
  await send(3);
  const flush = harness.api.task('POST', `${K}/flush`);
  await stageAll(harness.dependencies, incarnation);
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject({
    delivered: false,
    totals: { accepted: 3, imported: 0, staged: 3, inFlight: 0, difference: 0 },
    staged: { slices: 1, rows: 3, bytes: 30, triggers: { count: { value: 3, threshold: 50_000 } } },
  });
  await importAll(harness.dependencies, incarnation);
  expect(await flush).toMatchObject({
    type: 'api.flush.sink',
    status: 'success',
    result: 'Sink has been flushed successfully.',
  });
});

test('D4: the progress page has exact numbers, the last import and, for what is in flight, where it stands', async () => {
  await send(2);
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject({
    takesEvents: true,
    delivered: false,
    totals: { accepted: 5, imported: 3, inFlight: 2, staged: 0, difference: 0 },
    partitions: [{ partition: 0, position: 3, end: 5, accepted: 5, inFlight: 2 }],
    lastImport: { number: 1, rows: 3, at: new Date(3000).toISOString() },
    errors: [],
  });
});

test('the last imports are listed, the newest first, and the progress page takes from them what it can', async () => {
  const { catalog } = harness.dependencies;
  const note = (number: number): ImportNote => ({
    incarnation,
    number,
    id: `i${number}`,
    verdict: number === 2 ? 'abandoned' : 'loaded',
    rows: 3,
    dead: 0,
    slices: 2,
    bytes: 30,
    mappingVersion: 1,
    startedAt: 1000 * number,
    finishedAt: 1000 * number + 250,
    durationMs: 250,
  });
  for (const number of [1, 2, 3]) {
    const id = importId(incarnation, number);
    await catalog.compareAndSet(
      { collection: 'import-history', id, expected: undefined, value: note(number) },
      { signal },
    );
  }
  expect(await harness.api.call('GET', `${K}/imports?limit=2`)).toMatchObject({
    sinkId: 'orders',
    page: { limit: 2, totalCount: 3, afterId: '', lastId: '2' },
    imports: [
      { number: 3, verdict: 'loaded', startedAt: new Date(3000).toISOString(), durationMs: 250 },
      { number: 2, verdict: 'abandoned', slices: 2 },
    ],
  });
  expect(await harness.api.call('GET', `${K}/imports?afterId=2`)).toMatchObject({
    page: { afterId: '2', lastId: '1' },
    imports: [{ number: 1 }],
  });
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject({
    lastImport: { number: 1, rows: 3, slices: 2, mappingVersion: 1, durationMs: 250 },
  });
});

test('D6: a flush of a sink that cannot deliver ends in error with the reason and the next try', async () => {
  await stageAll(harness.dependencies, incarnation);
  await report({});
  await expect(harness.api.task('POST', `${K}/flush`)).rejects.toThrow(
    /Import cannot go on since .*: no table \(table\.notFound\); next try at/,
  );
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject({
    errors: [{ role: 'import', code: 'table.notFound', message: 'no table' }],
  });
});

test('a flush over parked slices says how much is parked', async () => {
  await change(harness.dependencies.catalog, incarnation, (progress) => park(progress, { mappingVersion: 1, at: 5 }));
  await expect(harness.api.task('POST', `${K}/flush`)).rejects.toThrow(
    /: Import cannot go on since [^\n]*; next try at [^\n]*; and 2 events in 1 slices are parked/,
  );
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject({
    parked: { slices: 1, rows: 2 },
    totals: { staged: 2 },
  });
});

test('a progress document whose numbers do not add up raises an alarm', async () => {
  const id = progressId(incarnation);
  await change(harness.dependencies.catalog, incarnation, (progress) => ({
    ...progress,
    totals: { 0: { passed: 9, rows: 3, dead: 0, filtered: 0, holes: 0, none: 0, givenUp: 0 } },
  }));
  expect(id).not.toBe('');
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject({
    alarm: anyText,
    totals: { difference: 4 },
  });
});

test('D6: what a process said that is gone is told as old, and is no reason of a flush', async () => {
  await send(1);
  await stageAll(harness.dependencies, incarnation);
  await change(harness.dependencies.catalog, incarnation, (progress) => park(progress, { mappingVersion: 1, at: 6 }));
  await report({ nextTryAt: new Date(Date.now() - 11_000).toISOString() });
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject({
    errors: [{ code: 'table.notFound', old: true }],
  });
  await expect(harness.api.task('POST', `${K}/flush`)).rejects.toThrow(/: \d+ events in \d+ slices are parked/);
});

test('L5: the progress page names servers that processes cannot use, as long as they say so', async () => {
  const { catalog, clock } = harness.dependencies;
  const missing = { server: 'log (kafka)', roles: ['map'], message: 'Away.', since: new Date(0).toISOString() };
  const say = async (process: string, ms: number): Promise<void> => {
    const value = { process, servers: [missing], at: new Date(ms).toISOString() };
    await catalog.compareAndSet(
      { collection: 'meta', id: `missing-servers/${process}`, expected: undefined, value },
      { signal },
    );
  };
  await say('lives', clock.now());
  await say('is-gone', clock.now() - 80_000);
  expect(await harness.api.call('GET', `${K}/progress`)).toMatchObject({
    missingServers: [{ process: 'lives', ...missing }],
  });
});
