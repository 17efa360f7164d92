import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { matching } from '../../test/support/matching.ts';
import { makeOtlp } from '../../test/support/otlp-source.ts';
import { importAll, stageAll } from '../../test/support/deliver.ts';
import { progressId } from '../documents/document-id.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import { sinkDocuments } from '../documents/sink-document.ts';
import type { Incarnation } from '../core/ids.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import type { Sink } from '../core/sink.ts';

const S = '/v1/branches/default/sources';
const signal = new AbortController().signal;
const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'body', name: 'body' },
];
const table = (name: string, list: readonly object[] = columns): object => ({
  tableId: `in.c-shop.${name}`,
  mapping: { columns: list },
});

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

async function sinkDocument(source: string, sink: string): Promise<Sink> {
  const found = await harness.dependencies.catalog.get('sink', `000000000000001/${source}/${sink}`, { signal });
  return sinkDocuments.parse(found?.value);
}

async function progressOf(incarnation: number): Promise<SinkProgress> {
  const found = await harness.dependencies.catalog.get('progress', progressId(incarnation as Incarnation), { signal });
  return progressDocuments.parse(found?.value);
}

async function send(source: string, count: number): Promise<void> {
  const records = Array.from({ length: count }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  await harness.dependencies.sourceLog.append({ topic: `source.1.${source}`, partition: 0 }, records, { signal });
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

async function tokenIds(description: string): Promise<readonly string[]> {
  const tokens = await harness.api.call<{ id: string; description: string }[]>('GET', '/v2/storage/tokens');
  return tokens.filter((token) => token.description === `[_internal] Stream Sink ${description}`).map(({ id }) => id);
}

describe('sources', () => {
  test('a created source has a secret of 48 letters and digits in its address, and version 1', async () => {
    const { outputs, result } = await harness.api.task('POST', S, { type: 'HTTP', name: 'Git Hub' });
    expect(result).toBe('Source has been created successfully.');
    expect(outputs).toMatchObject({
      projectId: 7,
      branchId: 1,
      sourceId: 'git-hub',
      url: `${harness.base}/v1/branches/1/sources/git-hub`,
    });
    const source = await harness.api.call('GET', `${S}/git-hub`);
    expect(source).toMatchObject({
      type: 'http',
      http: { url: matching(/^http:\/\/ingest\.test\/stream\/7\/git-hub\/[0-9A-Za-z]{48}$/) },
      version: { number: 1, description: 'New source.', hash: matching(/^[0-9a-f]{16}$/) },
      created: { by: { type: 'user', tokenId: '1' } },
    });
  });

  test('A23: an update without a change makes no version; with a change of type the address is another', async () => {
    await harness.api.task('PATCH', `${S}/git-hub`, { name: 'Git Hub', type: 'http' });
    expect(await harness.api.call('GET', `${S}/git-hub`)).toMatchObject({ version: { number: 1 } });
    const before = await harness.api.call<{ http: { url: string } }>('GET', `${S}/git-hub`);
    await makeOtlp(harness.dependencies.catalog, 'git-hub');
    const otlp = await harness.api.call('GET', `${S}/git-hub`);
    expect(otlp).toMatchObject({ otlp: { baseUrl: 'http://ingest.test/otlp/7/git-hub' } });
    expect(otlp).not.toHaveProperty('http');
    await harness.api.task('PATCH', `${S}/git-hub`, { type: 'http', description: 'd', changeDescription: 'why' });
    const source = await harness.api.call<{ http: { url: string } }>('GET', `${S}/git-hub`);
    expect(source).toMatchObject({ version: { number: 2, description: 'why' } });
    expect(source.http.url).not.toBe(before.http.url);
  });

  test('a source that was deleted and is made again goes on with its versions and gets another topic', async () => {
    await harness.api.task('DELETE', `${S}/git-hub`);
    expect((await harness.api.request('GET', `${S}/git-hub`)).status).toBe(404);
    await harness.api.task('POST', S, { type: 'http', name: 'Git Hub' });
    expect(await harness.api.call('GET', `${S}/git-hub`)).toMatchObject({ version: { number: 3 } });
    expect(await harness.dependencies.sourceLog.listTopics('source.1.git-hub', { signal })).toHaveLength(2);
  });

  test('A12: a source with a sink that cannot be made is not made, nor is anything of it', async () => {
    await harness.dependencies.tables.createTable('in.c-shop.foreign' as Sink['table']['tableId'], ['x'], { signal });
    const sinks = [
      { name: 'good', table: table('made') },
      { name: 'bad', table: table('foreign') },
    ];
    const failing = harness.api.task('POST', S, { type: 'http', name: 'both', sinks });
    await expect(failing).rejects.toThrow(
      'Columns of the table "in.c-shop.foreign" do not match expected ["id", "body"], found ["x"]',
    );
    expect((await harness.api.request('GET', `${S}/both`)).status).toBe(404);
    expect((await harness.api.request('GET', '/v2/storage/tables/in.c-shop.made')).status).toBe(404);
    expect(await tokenIds('both/good')).toEqual([]);
    await harness.api.task('POST', S, { type: 'http', name: 'both', sinks: sinks.slice(0, 1) });
    expect(await harness.api.call('GET', `${S}/both/sinks`)).toMatchObject({ sinks: [{ sinkId: 'good' }] });
  });

  test('pages are ascending by id and say what follows', async () => {
    const first = await harness.api.call('GET', `${S}?limit=1`);
    expect(first).toMatchObject({ page: { limit: 1, totalCount: 2, afterId: '', lastId: 'both' } });
    const rest = await harness.api.call('GET', `${S}?afterId=both`);
    expect(rest).toMatchObject({ page: { lastId: 'git-hub' }, sources: [{ sourceId: 'git-hub' }] });
    expect(await harness.api.call('GET', `${S}?afterId=git-hub`)).toMatchObject({ page: { lastId: '' }, sources: [] });
  });
});

describe('sinks', () => {
  beforeAll(() => harness.api.task('POST', S, { type: 'http', name: 'shop' }));

  test('a created sink begins at the end of its source, or with backfill at its beginning', async () => {
    await send('shop', 3);
    await harness.api.task('POST', `${S}/shop/sinks`, { name: 'now', table: table('now') });
    await harness.api.task('POST', `${S}/shop/sinks`, { name: 'all', table: table('all'), backfill: 'earliest' });
    const [now, all] = [await sinkDocument('shop', 'now'), await sinkDocument('shop', 'all')];
    expect((await progressOf(now.incarnation)).entries).toMatchObject({
      0: { source: 2, intervals: [{ start: 3, end: null }] },
    });
    expect((await progressOf(all.incarnation)).entries).toMatchObject({
      0: { source: -1, intervals: [{ start: 0, end: null }] },
    });
    expect(await harness.dependencies.ledger.readLedger(now.incarnation, { signal })).toMatchObject({
      number: 0,
      verdict: 'loaded',
    });
    expect(await tokenIds('shop/now')).toEqual([now.tokenId]);
  });

  test('with a time it begins at the first event that arrived then or later, and after the newest one at the end', async () => {
    await harness.api.task('POST', S, { type: 'http', name: 'times' });
    const records = [1000, 2000, 2000, 3000].map((timestamp) => ({ value: new Uint8Array(), headers: [], timestamp }));
    await harness.dependencies.sourceLog.append({ topic: 'source.1.times', partition: 0 }, records, { signal });
    const starts: unknown[] = [];
    for (const [index, backfill] of [
      '1970-01-01',
      '1970-01-01T00:00:01.500',
      '1970-01-01T00:00:02Z',
      '2999-01-01',
    ].entries()) {
      const name = `past-${index}`;
      await harness.api.task('POST', `${S}/times/sinks`, { name, table: table(name), backfill });
      const { entries } = await progressOf((await sinkDocument('times', name)).incarnation);
      starts.push(entries);
    }
    const start = (offset: number): object => ({ 0: { intervals: [{ start: offset, end: null }] } });
    expect(starts).toMatchObject([start(0), start(1), start(1), start(4)]);
  });

  test('A21: disabling ends the events, delivers the rest and then revokes the token', async () => {
    const before = await sinkDocument('shop', 'now');
    await send('shop', 2);
    await harness.api.task('PUT', `${S}/shop/sinks/now/disable`);
    await send('shop', 2);
    const sink = await sinkDocument('shop', 'now');
    expect(sink).toMatchObject({
      disabled: { reason: 'API', withSource: false },
      version: { number: 2, description: 'Disabled.' },
      tokenId: before.tokenId,
    });
    expect(await progressOf(sink.incarnation)).toMatchObject({
      open: false,
      entries: { 0: { intervals: [{ start: 3, end: 5 }] } },
    });
    await stageAll(harness.dependencies, sink.incarnation);
    await importAll(harness.dependencies, sink.incarnation);
    await until(async () => (await tokenIds('shop/now')).length === 0);
    expect(await sinkDocument('shop', 'now')).not.toHaveProperty('tokenId');
    expect(await harness.api.call('GET', `${S}/shop/sinks/now/progress`)).toMatchObject({
      takesEvents: false,
      delivered: true,
      totals: { accepted: 2, imported: 2, difference: 0 },
    });
  });

  test('enabling takes events from now on, with another token; enabling twice changes nothing', async () => {
    await harness.api.task('PUT', `${S}/shop/sinks/now/enable`);
    await harness.api.task('PUT', `${S}/shop/sinks/now/enable`);
    const sink = await sinkDocument('shop', 'now');
    expect(sink.version).toMatchObject({ number: 3, description: 'Enabled.' });
    expect((await progressOf(sink.incarnation)).entries).toMatchObject({ 0: { intervals: [{ start: 7, end: null }] } });
    expect(await tokenIds('shop/now')).toEqual([sink.tokenId]);
  });

  test('A22: disabling the source takes its sinks along, and enabling it brings only those back', async () => {
    await harness.api.task('PUT', `${S}/shop/sinks/all/disable`);
    await harness.api.task('PUT', `${S}/shop/disable`);
    expect(await harness.api.call('GET', `${S}/shop/sinks/now`)).toMatchObject({
      disabled: { reason: 'Auto-disabled with the parent source.' },
      version: { number: 3 },
    });
    expect(await harness.api.request('PUT', `${S}/shop/sinks/now/enable`)).toMatchObject({
      status: 409,
      body: { error: 'stream.api.sourceDisabled' },
    });
    await harness.api.task('PUT', `${S}/shop/enable`);
    expect(await harness.api.call('GET', `${S}/shop/sinks/now`)).not.toHaveProperty('disabled');
    expect(await harness.api.call('GET', `${S}/shop/sinks/all`)).toMatchObject({ disabled: { reason: 'API' } });
    const { incarnation } = await sinkDocument('shop', 'now');
    expect((await progressOf(incarnation)).open).toBe(true);
  });

  test('a changed mapping is a new version of the mapping under the same incarnation; a new table is made', async () => {
    const before = await sinkDocument('shop', 'now');
    const more = [...columns, { type: 'ip', name: 'from' }];
    await harness.api.task('PATCH', `${S}/shop/sinks/now`, { table: table('wider', more) });
    const after = await sinkDocument('shop', 'now');
    expect(after).toMatchObject({
      incarnation: before.incarnation,
      mappingVersion: 2,
      version: { description: 'Updated.' },
    });
    expect((await progressOf(after.incarnation)).mappingVersion).toBe(2);
    expect(await harness.api.call('GET', '/v2/storage/tables/in.c-shop.wider')).toMatchObject({
      columns: ['id', 'body', 'from'],
    });
  });

  test('A16: a table without tableId keeps it; a table whose columns differ fails the task and changes nothing', async () => {
    const before = await sinkDocument('shop', 'now');
    const failing = harness.api.task('PATCH', `${S}/shop/sinks/now`, { table: { mapping: { columns } } });
    await expect(failing).rejects.toThrow('do not match expected ["id", "body"], found ["id", "body", "from"]');
    expect(await sinkDocument('shop', 'now')).toEqual(before);
    await harness.api.task('PATCH', `${S}/shop/sinks/now`, { table: {}, name: 'Renamed' });
    expect(await sinkDocument('shop', 'now')).toMatchObject({
      name: 'Renamed',
      mappingVersion: 2,
      table: { tableId: 'in.c-shop.wider' },
    });
  });

  test('a table that differs from another one in letter case only fails the task at once', async () => {
    for (const [tableId, reason] of [
      ['in.c-shop.WIDER', '"in.c-shop.WIDER" exists already in other letter case'],
      ['in.C-Shop.wide', 'bucket of table "in.C-Shop.wide" exists already in other letter case'],
    ] as const) {
      const failing = harness.api.task('POST', `${S}/shop/sinks`, {
        name: 'case',
        table: { tableId, mapping: { columns } },
      });
      await expect(failing).rejects.toThrow(reason);
    }
    const tables = await harness.dependencies.tables.listTables({ signal: new AbortController().signal });
    expect(tables.filter((found) => /wide$/i.test(found.tableId))).toEqual([]);
  });

  test('a sink made again under a deleted id is another incarnation, with the versions going on', async () => {
    const before = await sinkDocument('shop', 'now');
    await harness.api.task('DELETE', `${S}/shop/sinks/now`);
    expect(await progressOf(before.incarnation)).toMatchObject({ deleted: true, open: false });
    expect((await harness.api.request('GET', `${S}/shop/sinks/now`)).status).toBe(404);
    await harness.api.task('POST', `${S}/shop/sinks`, { name: 'now', table: table('again') });
    const after = await sinkDocument('shop', 'now');
    expect(after.incarnation).toBeGreaterThan(before.incarnation);
    expect(after).toMatchObject({
      mappingVersion: 1,
      created: before.created,
      version: { number: before.version.number + 1 },
    });
    expect(after).not.toHaveProperty('deleted');
  });

  test('a sink made in a disabled source waits for it', async () => {
    await harness.api.task('PUT', `${S}/shop/disable`);
    await harness.api.task('POST', `${S}/shop/sinks`, { name: 'late', table: table('late') });
    const { incarnation } = await sinkDocument('shop', 'late');
    expect((await progressOf(incarnation)).open).toBe(false);
    await harness.api.task('PUT', `${S}/shop/enable`);
    expect((await progressOf(incarnation)).open).toBe(true);
  });

  test('sinks made at the same time in one source all exist; the same one twice is refused once', async () => {
    const make = (name: string) => harness.api.task('POST', `${S}/shop/sinks`, { name, table: table('shared') });
    const made = await Promise.allSettled([...Array.from({ length: 10 }, (_, at) => make(`p${at}`)), make('p0')]);
    const refused = made.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []));
    expect(refused).toEqual([matching(/409.*stream\.api\.sinkAlreadyExists.*p0/s)]);
    const { sinks } = await harness.api.call<{ sinks: { sinkId: string }[] }>('GET', `${S}/shop/sinks`);
    expect(sinks.filter(({ sinkId }) => /^p\d$/.test(sinkId))).toHaveLength(10);
  });

  test('A40: two operations on one object at a time', async () => {
    const [first, second] = await Promise.all([
      harness.api.request('PUT', `${S}/shop/disable`),
      harness.api.request('PUT', `${S}/shop/enable`),
    ]);
    expect([first.status, second.status].toSorted((a, b) => a - b)).toEqual([202, 409]);
    expect([first, second].find(({ status }) => status === 409)?.body).toMatchObject({
      error: 'stream.api.operationInProgress',
    });
  });
});
