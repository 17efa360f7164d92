import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { inconsistencies } from '../../test/support/admin-state.ts';
import { change, stageAll } from '../../test/support/deliver.ts';
import { matching } from '../../test/support/matching.ts';
import { sliceOf } from '../../test/support/progress-of.ts';
import { sourceDocumentId } from '../documents/document-id.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import { sourceDocuments } from '../documents/source-document.ts';
import { defaultBranch, parseSourceId, type Incarnation } from '../core/ids.ts';
import { MillraceError } from '../core/millrace-error.ts';
import { packOffsets } from '../core/progress/packed-offsets.ts';
import type { RunningReplay, SinkProgress } from '../core/progress/sink-progress.ts';
import type { Source } from '../core/source.ts';
import { parseTableId, type TableId } from '../core/table-id.ts';
import type { Tables } from '../ports/tables.ts';

const S = '/v1/branches/default/sources';
const shop = `${S}/shop`;
const K = `${shop}/sinks`;
const never = { signal: new AbortController().signal };
const deletedAll = 'Source and its destination tables and bucket have been deleted.';

let harness: AdminHarness;
/** Tables that the store refuses to drop. */
let stuck: readonly TableId[];

beforeEach(async () => {
  stuck = [];
  harness = await startAdmin((dependencies) => ({ ...dependencies, tables: holding(dependencies.tables) }));
});

afterEach(() => harness[Symbol.asyncDispose]());

/** A store in which other things depend on some tables. */
function holding(tables: Tables): Tables {
  return new Proxy(tables, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return (...given: readonly unknown[]): unknown => {
        if (name === 'dropTable' && stuck.includes(given[0] as TableId))
          return Promise.reject(new MillraceError('table.unavailable', 'a view depends on it'));
        return Reflect.apply(member, target, given) as unknown;
      };
    },
  });
}

const sinkBody = (name: string, tableId = `in.c-shop.${name}`): object => ({
  name,
  table: { tableId, mapping: { columns: [{ type: 'uuid', name: 'id' }] } },
});

function create(sourceId: string, ...sinks: readonly object[]): Promise<Record<string, unknown>> {
  return harness.api.task('POST', S, { type: 'http', name: sourceId, sourceId, sinks });
}

async function tables(): Promise<readonly string[]> {
  return (await harness.dependencies.tables.listTables(never)).map(({ tableId }) => tableId);
}

async function allProgress(): Promise<readonly SinkProgress[]> {
  const found = await harness.dependencies.catalog.list({ collection: 'progress', prefix: '' }, never);
  return found.map(({ value }) => progressDocuments.parse(value));
}

async function sourceDocument(): Promise<Source> {
  const id = sourceDocumentId({ branchId: defaultBranch, sourceId: parseSourceId('shop') });
  return sourceDocuments.parse((await harness.dependencies.catalog.get('source', id, never))?.value);
}

async function counts(): Promise<Record<string, number>> {
  const { catalog } = harness.dependencies;
  const collections = ['sink', 'sink-version', 'source-version'] as const;
  const found = await Promise.all(collections.map((collection) => catalog.count(collection, '', never)));
  return Object.fromEntries(collections.map((collection, at) => [collection, found[at] ?? 0]));
}

const status = async (method: string, path: string): Promise<number> =>
  (await harness.api.request(method, path)).status;

test('a source is gone with its sinks, active and deleted, their versions, tables and bucket', async () => {
  await create('shop', sinkBody('a'), sinkBody('b'));
  await harness.api.task('DELETE', `${K}/b`);
  expect(await harness.api.task('DELETE', `${shop}?cascade=true`)).toMatchObject({
    type: 'api.delete.source',
    result: deletedAll,
    outputs: { sourceId: 'shop' },
  });
  expect(await tables()).toEqual([]);
  expect(await counts()).toEqual({ sink: 0, 'sink-version': 0, 'source-version': 0 });
  expect(await harness.api.call('GET', `${S}/deleted`)).toMatchObject({ page: { totalCount: 0 } });
  expect([await status('GET', shop), await status('PUT', `${shop}/undelete`)]).toEqual([404, 404]);
  expect(await sourceDocument()).toMatchObject({ secrets: [], name: '', erased: { tables: [], isDone: true } });
  for (const progress of await allProgress())
    expect(progress).toMatchObject({ deleted: true, open: false, dropped: ['in.c-shop.a', 'in.c-shop.b'] });
  expect(await inconsistencies(harness.dependencies)).toEqual([]);
});

test('the tokens of its sinks are revoked', async () => {
  await create('shop', sinkBody('a'));
  await harness.api.task('DELETE', `${shop}?cascade=true`);
  await expect.poll(() => harness.dependencies.catalog.count('token', '', never), { interval: 20 }).toBe(0);
});

test('without cascade, or with false, tables stay and the source can come back', async () => {
  await create('shop', sinkBody('a'));
  await harness.api.task('DELETE', `${shop}?cascade=false`);
  expect(await tables()).toEqual(['in.c-shop.a']);
  expect(await status('DELETE', `${shop}?cascade=true`)).toBe(404);
  await harness.api.task('PUT', `${shop}/undelete`);
});

test('A42: a table that a sink of another source maps to stays, and its bucket; what it accepted is delivered', async () => {
  await create('shop', sinkBody('a', 'in.c-both.t'), sinkBody('b'));
  await create('mall', sinkBody('a', 'in.c-both.t'));
  const { result } = await harness.api.task('DELETE', `${shop}?cascade=true`);
  expect(result).toBe(
    `${deletedAll} Kept, because sinks of other sources map to them: "in.c-both.t". ` +
      'Kept, because tables are in them: buckets "in.c-both".',
  );
  expect(await tables()).toEqual(['in.c-both.t']);
  const { dropped } = (await allProgress()).find(({ key }) => key.sinkId === 'a' && key.sourceId === 'shop') ?? {};
  expect(dropped).toEqual(['in.c-shop.b']);
  expect(await harness.api.task('DELETE', `${S}/mall?cascade=true`)).toMatchObject({ result: deletedAll });
  expect(await tables()).toEqual([]);
});

test('A42: it says that a bucket stays in which there are other tables, and claims no table that it keeps', async () => {
  await create('shop', sinkBody('a'), sinkBody('b'));
  await create('mall', sinkBody('c', 'in.c-shop.c'));
  expect(await harness.api.task('DELETE', `${shop}?cascade=true`)).toMatchObject({
    result:
      'Source and its destination tables have been deleted. Kept, because tables are in them: buckets "in.c-shop".',
  });
  expect(await tables()).toEqual(['in.c-shop.c']);
  await create('stall', sinkBody('c', 'in.c-shop.c'));
  expect(await harness.api.task('DELETE', `${S}/mall?cascade=true`)).toMatchObject({
    result:
      'Source has been deleted. Kept, because sinks of other sources map to them: "in.c-shop.c". ' +
      'Kept, because tables are in them: buckets "in.c-shop".',
  });
});

test.each([
  ['in.c-shop.a', { status: 'error', error: matching(/^The source was deleted for good while the flush waited/) }],
  ['in.c-both.t', { status: 'success' }],
])('A42: a flush does not say that it has delivered what was given up with %s', async (tableId, end) => {
  const { api, dependencies } = harness;
  await create('shop', sinkBody('a', tableId), sinkBody('b'));
  await create('mall', sinkBody('a', 'in.c-both.t'));
  const event = { value: Buffer.from('{}'), headers: [], timestamp: 1 };
  await dependencies.sourceLog.append({ topic: 'source.1.shop', partition: 0 }, [event], never);
  const { taskId } = await api.call<{ taskId: string }>('POST', `${K}/a/flush`);
  await api.task('DELETE', `${shop}?cascade=true`);
  const { incarnation = 0 } =
    (await allProgress()).find(({ key }) => key.sinkId === 'a' && key.sourceId === 'shop') ?? {};
  // Either way the stage, and where the table stays the import, leave nothing to wait for.
  await stageAll(dependencies, incarnation);
  await change(dependencies.catalog, incarnation, (progress) => Promise.resolve({ ...progress, staged: [] }));
  await expect.poll(() => api.call('GET', `/v1/tasks/${taskId}`), { interval: 20 }).toMatchObject(end);
});

test('A42: a sink that is made while its table is dropped has a table in the end', async () => {
  await create('shop', sinkBody('a', 'in.c-both.t'));
  await create('mall');
  await Promise.all([
    harness.api.task('DELETE', `${shop}?cascade=true`),
    harness.api.task('POST', `${S}/mall/sinks`, sinkBody('a', 'in.c-both.t')),
    harness.api.task('POST', `${S}/mall/sinks`, sinkBody('b', 'in.c-both.t')),
  ]);
  expect(await tables()).toEqual(['in.c-both.t']);
  expect(await inconsistencies(harness.dependencies)).toEqual([]);
});

test('a table that cannot be dropped is named in the error of the task; everything else is gone', async () => {
  await create('shop', sinkBody('a'), sinkBody('b'));
  stuck = [parseTableId('in.c-shop.a')];
  const { taskId } = await harness.api.call<{ taskId: string }>('DELETE', `${shop}?cascade=true`);
  const task = (): Promise<object> => harness.api.call('GET', `/v1/tasks/${taskId}`);
  await expect.poll(task, { interval: 20 }).toMatchObject({ status: 'error' });
  expect(await task()).toMatchObject({
    error:
      'Source deleted, but some destination resources could not be removed: table "in.c-shop.a": a view depends on it.',
    outputs: { sourceId: 'shop', projectId: 7 },
  });
  expect(await tables()).toEqual(['in.c-shop.a']);
  expect(await status('GET', shop)).toBe(404);
  await harness.restart();
  expect(await tables()).toEqual(['in.c-shop.a']);
});

test('a source that is made anew begins at version 1, with a topic of its own, and without what was there', async () => {
  await create('shop', sinkBody('a'));
  const before = await sourceDocument();
  await harness.api.task('DELETE', `${shop}?cascade=true`);
  await create('shop', sinkBody('a'));
  expect(await harness.api.call('GET', shop)).toMatchObject({ version: { number: 1, description: 'New source.' } });
  expect(await harness.api.call('GET', `${K}/a`)).toMatchObject({ version: { number: 1 } });
  const after = await sourceDocument();
  expect(after).not.toHaveProperty('erased');
  expect(after.retired).toEqual([{ name: before.topic, identity: before.topicIdentity }]);
  expect([after.incarnation > before.incarnation, after.topic === before.topic]).toEqual([true, false]);
  expect(after.created.at >= before.created.at).toBe(true);
  expect(await tables()).toEqual(['in.c-shop.a']);
  expect(await inconsistencies(harness.dependencies)).toEqual([]);
  await harness.restart();
  expect(await tables()).toEqual(['in.c-shop.a']);
  expect(await status('GET', `${K}/a`)).toBe(200);
});

/** The document says that this is under way. */
async function under(way: Pick<SinkProgress, 'importing' | 'replaying'>): Promise<Incarnation> {
  const [progress] = await allProgress();
  if (progress === undefined) throw new Error('there is no sink');
  await change(harness.dependencies.catalog, progress.incarnation, (found) => Promise.resolve({ ...found, ...way }));
  return progress.incarnation;
}

const attempt = { number: 1, id: 'running', startedAt: 0 };
const importing = { ...attempt, slices: [sliceOf({ id: 'one', from: -1, to: 0, rows: 0 })] };
const abandoned = { number: 1, id: 'running', verdict: 'abandoned' };

test.each([
  [[], abandoned],
  [['running'], { number: 1, id: 'running', verdict: 'loaded' }],
  [['running', 'later'], { number: 2, id: 'later', verdict: 'loaded' }],
])('D3: an import that runs is over before its table is dropped, when its ledger has %j', async (loaded, row) => {
  await create('shop', sinkBody('a'));
  const incarnation = await under({ importing });
  const nothing = { rows: 0, dead: 0 };
  const request = { tableId: parseTableId('in.c-shop.a'), columns: ['id'], rows: [], dead: [] };
  for (const [at, id] of loaded.entries()) {
    const which = { incarnation, number: at + 1, id };
    await harness.tableStore.import({ ...request, ...which, expected: nothing, before: nothing }, never);
  }
  await harness.api.task('DELETE', `${shop}?cascade=true`);
  expect(await tables()).toEqual([]);
  expect(await harness.tableStore.readLedger(incarnation, never)).toMatchObject(row);
});

test('D3: an import into a table that is gone already ends, too: another one may get the name', async () => {
  await create('shop', sinkBody('a'));
  const incarnation = await under({ importing });
  await harness.tableStore.dropTable(parseTableId('in.c-shop.a'), never);
  await harness.api.task('DELETE', `${shop}?cascade=true`);
  expect(await harness.tableStore.readLedger(incarnation, never)).toMatchObject(abandoned);
});

test('D3: a replay that runs is over before its table is dropped', async () => {
  await create('shop', sinkBody('a'));
  const replaying: RunningReplay = {
    ...attempt,
    replayId: 'replay',
    mappingVersion: 1,
    passed: { seen: 1, refused: 0, partial: 0, after: { partition: 0, offset: 1, eventId: 'e' } },
    letters: { 0: { rows: 0, filtered: 1, offsets: packOffsets([1]) } },
    lettersObject: { name: 'letters', bytes: 1 },
    firstArrival: 0,
    lastArrival: 0,
  };
  const incarnation = await under({ replaying });
  await harness.api.task('DELETE', `${shop}?cascade=true`);
  expect(await harness.tableStore.readLedger(incarnation, never)).toMatchObject(abandoned);
});
