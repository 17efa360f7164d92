import { putRaw } from '../../test/support/put-raw.ts';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { inconsistencies } from '../../test/support/admin-state.ts';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { sinkDocumentId, sourceDocumentId } from '../documents/document-id.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import { sinkDocuments } from '../documents/sink-document.ts';
import { sourceDocuments } from '../documents/source-document.ts';
import { defaultBranch, parseSinkId, parseSourceId } from '../core/ids.ts';
import { limits } from '../core/limits.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import type { Sink } from '../core/sink.ts';
import type { Source } from '../core/source.ts';
import { progressId } from '../documents/document-id.ts';
import { removeDocument } from '../documents/change-document.ts';

const S = '/v1/branches/default/sources';
const shop = `${S}/shop`;
const K = `${shop}/sinks`;
const never = { signal: new AbortController().signal };
const key = { branchId: defaultBranch, sourceId: parseSourceId('shop') };
const sinkKey = { ...key, sinkId: parseSinkId('k') };

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
});

afterEach(() => harness[Symbol.asyncDispose]());

const sinkBody = (name: string): object => ({
  name,
  table: { tableId: `in.c-shop.${name}`, mapping: { columns: [{ type: 'uuid', name: 'id' }] } },
});

async function createShop(...sinks: readonly string[]): Promise<void> {
  await harness.api.task('POST', S, { type: 'http', name: 'Shop', sourceId: 'shop', sinks: sinks.map(sinkBody) });
}

async function sourceDocument(): Promise<Source> {
  return sourceDocuments.parse((await harness.dependencies.catalog.get('source', sourceDocumentId(key), never))?.value);
}

async function sinkDocument(): Promise<Sink> {
  return sinkDocuments.parse((await harness.dependencies.catalog.get('sink', sinkDocumentId(sinkKey), never))?.value);
}

async function progressOf({ incarnation }: Sink): Promise<SinkProgress> {
  const found = await harness.dependencies.catalog.get('progress', progressId(incarnation), never);
  return progressDocuments.parse(found?.value);
}

async function ids(path: string): Promise<readonly string[]> {
  const { sources, sinks } = await harness.api.call<Record<string, readonly Record<string, string>[] | undefined>>(
    'GET',
    path,
  );
  return (sources ?? sinks ?? []).map(({ sinkId, sourceId }) => sinkId ?? sourceId ?? '');
}

const status = async (method: string, path: string): Promise<unknown> => {
  const { status: code, body } = await harness.api.request(method, path);
  return [code, (body as { error?: string }).error];
};

describe('a deleted source', () => {
  test('is in the list of deleted ones, which has pages, until it comes back', async () => {
    for (const name of ['a', 'b', 'c']) await harness.api.task('POST', S, { type: 'http', name });
    for (const name of ['a', 'b', 'c']) await harness.api.task('DELETE', `${S}/${name}`);
    expect(await ids(S)).toEqual([]);
    expect(await harness.api.call('GET', `${S}/deleted?afterId=a&limit=1`)).toMatchObject({
      page: { limit: 1, totalCount: 3, afterId: 'a', lastId: 'b' },
      sources: [{ sourceId: 'b', deleted: { by: { type: 'user' } } }],
    });
    await harness.api.task('PUT', `${S}/b/undelete`);
    expect([await ids(S), await ids(`${S}/deleted`)]).toEqual([['b'], ['a', 'c']]);
  });

  test('comes back as a new existence with what it was: definition, settings, secret, creation and versions', async () => {
    await createShop('k');
    await harness.api.call('PATCH', `${shop}/settings`, {
      settings: [{ key: 'storage.level.local.encoding.sync.wait', value: false }],
    });
    const [before, seen] = [await sourceDocument(), await harness.api.call('GET', shop)];
    await harness.api.task('DELETE', shop);
    const task = await harness.api.task('PUT', `${shop}/undelete`);
    expect(task).toMatchObject({
      type: 'api.undelete.source',
      result: 'Source has been undeleted successfully.',
      outputs: { sourceId: 'shop' },
    });
    const version = { number: 3, description: 'Undeleted to version "2".' };
    expect(await harness.api.call('GET', shop)).toMatchObject({ ...seen, version });
    const after = await sourceDocument();
    expect(after).toMatchObject({
      secrets: before.secrets,
      settings: before.settings,
      created: before.created,
      retired: [{ name: before.topic, identity: before.topicIdentity }],
    });
    expect([after.topic === before.topic, after.incarnation > before.incarnation, after.deleted]).toEqual([
      false,
      true,
      undefined,
    ]);
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('brings back the sinks that were deleted with it, and no others', async () => {
    await createShop('before', 'k', 'off');
    await harness.api.task('DELETE', `${K}/before`);
    await harness.api.task('PUT', `${K}/off/disable`);
    const [seen, document] = [await harness.api.call('GET', `${K}/k`), await sinkDocument()];
    await harness.api.task('DELETE', shop);
    expect(await status('GET', `${K}/deleted`)).toEqual([404, 'stream.api.sourceNotFound']);
    await harness.api.task('PUT', `${shop}/undelete`);
    expect([await ids(K), await ids(`${K}/deleted`)]).toEqual([['k', 'off'], ['before']]);
    expect(await harness.api.call('GET', `${K}/k`)).toEqual(seen);
    expect(await harness.api.call('GET', `${K}/off`)).toMatchObject({ disabled: { reason: 'API' } });
    const after = await sinkDocument();
    expect(after.incarnation).toBeGreaterThan(document.incarnation);
    expect(after.tokenId).not.toBe(document.tokenId);
    expect(await progressOf(after)).toMatchObject({ open: true, topics: { source: (await sourceDocument()).topic } });
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('brings back a sink, too, whose deletion was cut off when all of it was delivered and gone', async () => {
    await createShop('a', 'k');
    const source = await sourceDocument();
    const { catalog } = harness.dependencies;
    const value = { ...source, deleted: { ...source.created, withSource: false } };
    await putRaw(catalog, { collection: 'source', id: sourceDocumentId(key), value });
    await removeDocument(
      catalog,
      { collection: 'progress', id: progressId((await sinkDocument()).incarnation) },
      never,
    );
    await harness.restart();
    await harness.api.task('PUT', `${shop}/undelete`);
    expect(await ids(K)).toEqual(['a', 'k']);
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('that was made anew in between brings back the sinks of its last existence', async () => {
    await createShop('k');
    await harness.api.task('DELETE', shop);
    await createShop('other');
    await harness.api.task('DELETE', shop);
    await harness.api.task('PUT', `${shop}/undelete`);
    expect([await ids(K), await ids(`${K}/deleted`)]).toEqual([['other'], ['k']]);
    await harness.api.task('PUT', `${K}/k/undelete`);
    expect(await ids(K)).toEqual(['k', 'other']);
  });

  test('that was disabled comes back disabled, with its sinks; enabling it enables them', async () => {
    await createShop('k');
    await harness.api.task('PUT', `${shop}/disable`);
    await harness.api.task('DELETE', shop);
    await harness.api.task('PUT', `${shop}/undelete`);
    expect(await harness.api.call('GET', shop)).toMatchObject({ disabled: { reason: 'API' } });
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
    await harness.api.task('PUT', `${shop}/enable`);
    const enabled = await harness.api.call('GET', `${K}/k`);
    expect(enabled).not.toHaveProperty('disabled');
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('that is not deleted, or does not exist, cannot be undeleted', async () => {
    await createShop();
    const notDeleted = [404, 'stream.api.deletedSourceNotFound'];
    expect(await status('PUT', `${shop}/undelete`)).toEqual(notDeleted);
    expect(await status('PUT', `${S}/none/undelete`)).toEqual(notDeleted);
  });

  test('cannot come back past a limit', async () => {
    await createShop();
    await harness.api.task('DELETE', shop);
    const document = await sourceDocument();
    const { catalog } = harness.dependencies;
    const versions = { ...document, version: { ...document.version, number: limits.versionsPerObject } };
    await putRaw(catalog, { collection: 'source', id: sourceDocumentId(key), value: versions });
    expect(await status('PUT', `${shop}/undelete`)).toEqual([409, 'stream.api.versionCountLimitReached']);
    await putRaw(catalog, { collection: 'source', id: sourceDocumentId(key), value: document });
    const { deleted: _, ...active } = document;
    for (let number = 0; number < harness.dependencies.config.maxSources; number += 1) {
      const value = { ...active, sourceId: parseSourceId(`s${number}`) };
      await putRaw(catalog, { collection: 'source', id: sourceDocumentId(value), value });
    }
    expect(await status('PUT', `${shop}/undelete`)).toEqual([409, 'stream.api.sourceCountLimitReached']);
  });

  test('A12: whose sink cannot come back stays deleted, and nothing of it is left', async () => {
    await createShop('a', 'k');
    const before = await sinkDocument();
    await harness.api.task('DELETE', shop);
    const { tables, catalog } = harness.dependencies;
    await tables.dropTable(before.table.tableId, never);
    await tables.createTable(before.table.tableId, ['another'], never);
    await expect(harness.api.task('PUT', `${shop}/undelete`)).rejects.toThrow('do not match');
    expect(await ids(`${S}/deleted`)).toEqual(['shop']);
    const tokens = (await catalog.list({ collection: 'token', prefix: '' }, never)).length;
    expect(tokens).toBeLessThanOrEqual(2);
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
    await tables.dropTable(before.table.tableId, never);
    await harness.api.task('PUT', `${shop}/undelete`);
    expect(await ids(K)).toEqual(['a', 'k']);
  });
});

describe('a deleted sink', () => {
  test('comes back as a new incarnation with what it was', async () => {
    await createShop('a', 'k');
    await harness.api.call('PATCH', `${K}/k/settings`, {
      settings: [{ key: 'storage.level.target.import.trigger.count', value: 7 }],
    });
    const [document, seen] = [await sinkDocument(), await harness.api.call('GET', `${K}/k`)];
    await harness.api.task('DELETE', `${K}/k`);
    expect(await harness.api.call('GET', `${K}/deleted`)).toMatchObject({
      page: { totalCount: 1, lastId: 'k' },
      sinks: [{ sinkId: 'k', deleted: { by: { type: 'user' } } }],
    });
    const task = await harness.api.task('PUT', `${K}/k/undelete`);
    expect(task).toMatchObject({ type: 'api.undelete.sink', result: 'Sink has been undeleted successfully.' });
    const version = { number: 3, description: 'Undeleted to version "2".' };
    expect(await harness.api.call('GET', `${K}/k`)).toMatchObject({ ...seen, version });
    const after = await sinkDocument();
    expect(after).toMatchObject({ settings: document.settings, created: document.created, mappingVersion: 1 });
    expect(after.incarnation).toBeGreaterThan(document.incarnation);
    expect([await ids(K), await ids(`${K}/deleted`)]).toEqual([['a', 'k'], []]);
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('that was disabled comes back disabled, without a token and without events, until it is enabled', async () => {
    await createShop('k');
    await harness.api.task('PUT', `${K}/k/disable`);
    await harness.api.task('DELETE', `${K}/k`);
    await harness.api.task('PUT', `${K}/k/undelete`);
    const document = await sinkDocument();
    expect(document).toMatchObject({ disabled: { reason: 'API', withSource: false } });
    expect(document).not.toHaveProperty('tokenId');
    expect((await progressOf(document)).open).toBe(false);
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
    await harness.api.task('PUT', `${K}/k/enable`);
    expect(await sinkDocument()).toHaveProperty('tokenId');
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('follows its source: disabled with one that is disabled, enabled with one that was enabled since', async () => {
    await createShop('k');
    await harness.api.task('DELETE', `${K}/k`);
    await harness.api.task('PUT', `${shop}/disable`);
    await harness.api.task('PUT', `${K}/k/undelete`);
    expect((await sinkDocument()).disabled).toMatchObject({ withSource: true });
    await harness.api.task('DELETE', `${K}/k`);
    await harness.api.task('PUT', `${shop}/enable`);
    await harness.api.task('PUT', `${K}/k/undelete`);
    expect(await sinkDocument()).not.toHaveProperty('disabled');
    expect(await inconsistencies(harness.dependencies)).toEqual([]);
  });

  test('cannot be undeleted while its source is deleted, or when it is not', async () => {
    await createShop('k');
    expect(await status('PUT', `${K}/k/undelete`)).toEqual([404, 'stream.api.deletedSinkNotFound']);
    expect(await status('PUT', `${K}/none/undelete`)).toEqual([404, 'stream.api.deletedSinkNotFound']);
    await harness.api.task('DELETE', `${K}/k`);
    await harness.api.task('DELETE', shop);
    expect(await status('PUT', `${K}/k/undelete`)).toEqual([404, 'stream.api.sourceNotFound']);
  });

  test('counts towards the limit of sinks from the moment it is asked for', async () => {
    await createShop('k');
    const { version: _, ...sink } = await sinkDocument();
    await harness.api.task('DELETE', `${K}/k`);
    for (let number = 0; number < limits.sinksPerSource; number += 1) {
      const value = { ...sink, sinkId: parseSinkId(`s${number}`), version: (await sinkDocument()).version };
      await putRaw(harness.dependencies.catalog, { collection: 'sink', id: sinkDocumentId(value), value });
    }
    expect(await status('PUT', `${K}/k/undelete`)).toEqual([409, 'stream.api.sinkCountLimitReached']);
  });

  test('its table is made again when it is gone, and must fit when it is there', async () => {
    await createShop('k');
    const { tables } = harness.dependencies;
    const { tableId } = (await sinkDocument()).table;
    await harness.api.task('DELETE', `${K}/k`);
    await tables.dropTable(tableId, never);
    await tables.createTable(tableId, ['another'], never);
    await expect(harness.api.task('PUT', `${K}/k/undelete`)).rejects.toThrow('do not match');
    expect(await ids(`${K}/deleted`)).toEqual(['k']);
    await tables.dropTable(tableId, never);
    await harness.api.task('PUT', `${K}/k/undelete`);
    expect(await tables.describeTable(tableId, never)).toMatchObject({ columns: ['id'] });
  });
});
