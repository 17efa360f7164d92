import { makeOtlp } from '../../test/support/otlp-source.ts';
import { putRaw } from '../../test/support/put-raw.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { listDocuments } from '../documents/list-documents.ts';
import { sinkDocuments } from '../documents/sink-document.ts';
import { sourceDocuments } from '../documents/source-document.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import { limits } from '../core/limits.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import { parseTableId } from '../core/table-id.ts';

const S = '/v1/branches/default/sources';
const signal = new AbortController().signal;
const count = 'storage.level.target.import.trigger.count';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const mapping = (...names: readonly string[]) => ({ columns: names.map((name) => ({ type: 'uuid', name })) });

/** A source with one sink, under a name of its own; answers their paths. */
async function make(name: string): Promise<{ readonly source: string; readonly sink: string }> {
  const table = { tableId: `in.c-${name}.t`, mapping: mapping('id') };
  await harness.api.task('POST', S, { type: 'http', name, sinks: [{ name: 'k', table }] });
  return { source: `${S}/${name}`, sink: `${S}/${name}/sinks/k` };
}

const get = (path: string) => harness.api.call('GET', path);
const rollback = (path: string, number: number) => harness.api.task('PUT', `${path}/versions/${number}/rollback`);

async function progressOf(name: string): Promise<SinkProgress> {
  const found = await listDocuments(harness.dependencies.catalog, { kind: progressDocuments }, { signal });
  const progress = found.find(({ key }) => key.sourceId === name);
  if (progress === undefined) throw new Error(`no progress of ${name}`);
  return progress;
}

async function columnsOf(tableId: string): Promise<readonly string[] | undefined> {
  return (await harness.dependencies.tables.describeTable(parseTableId(tableId), { signal }))?.columns;
}

describe('rollback of a source', () => {
  test('makes a new version of an older one: name, description and settings come back', async () => {
    const { source } = await make('back');
    await harness.api.task('PATCH', source, { name: 'Other', description: 'Changed.' });
    await harness.api.call('PATCH', `${source}/settings`, { settings: [{ key: count, value: 7 }] });
    const first = (await get(`${source}/versions/1`)) as { hash: string };
    const task = await rollback(source, 1);
    expect(task).toMatchObject({
      type: 'api.rollback.sourceVersion',
      result: 'Source version was rolled back successfully.',
      outputs: { sourceId: 'back' },
    });
    expect(await get(source)).toMatchObject({
      name: 'back',
      description: '',
      version: { number: 4, description: 'Rollback to version "1".', hash: first.hash },
    });
    const { settings } = (await get(`${source}/settings`)) as { settings: { key: string; overwritten: boolean }[] };
    expect(settings.find(({ key }) => key === count)).toMatchObject({ overwritten: false });
  });

  test('A9: conditions that come back move at once what is waiting in the sinks', async () => {
    const { source } = await make('moves');
    await harness.api.call('PATCH', `${source}/settings`, { settings: [{ key: count, value: 7 }] });
    expect((await progressOf('moves')).flush).toEqual({ 0: 0 });
    const record = { value: Buffer.from('{}'), headers: [], timestamp: 1 };
    await harness.dependencies.sourceLog.append({ topic: 'source.1.moves', partition: 0 }, [record], { signal });
    await rollback(source, 1);
    expect((await progressOf('moves')).flush).toEqual({ 0: 1 });
  });

  test('keeps the secret, unless the type comes back, too; stays disabled', async () => {
    const { source } = await make('kinds');
    const before = (await get(source)) as { http: { url: string } };
    await harness.api.task('PATCH', source, { description: 'Changed.' });
    await rollback(source, 1);
    expect(await get(source)).toMatchObject({ http: before.http });
    await makeOtlp(harness.dependencies.catalog, 'kinds');
    await harness.api.task('PUT', `${source}/disable`);
    await rollback(source, 1);
    const after = (await get(source)) as { http: { url: string } };
    expect(after).toMatchObject({ type: 'http', disabled: { reason: 'API' } });
    expect(after.http.url).not.toBe(before.http.url);
  });
});

describe('rollback of a sink', () => {
  test('D7: the old mapping comes back under a new version of the mapping; name and settings, too', async () => {
    const { sink } = await make('maps');
    await harness.api.task('PATCH', sink, {
      name: 'Other',
      table: { tableId: 'in.c-maps.u', mapping: mapping('a', 'b') },
    });
    await harness.api.call('PATCH', `${sink}/settings`, { settings: [{ key: count, value: 7 }] });
    const asked = (await progressOf('maps')).mappingVersion;
    expect(await rollback(sink, 1)).toMatchObject({
      type: 'api.rollback.sinkVersion',
      result: 'Sink version was rolled back successfully.',
      outputs: { sourceId: 'maps', sinkId: 'k' },
    });
    expect(await get(sink)).toMatchObject({
      name: 'k',
      table: { tableId: 'in.c-maps.t', mapping: mapping('id') },
      version: { number: 4, description: 'Rollback to version "1".' },
    });
    const { settings } = (await get(`${sink}/settings`)) as { settings: { key: string; overwritten: boolean }[] };
    expect(settings.find(({ key }) => key === count)).toMatchObject({ overwritten: false });
    const progress = await progressOf('maps');
    expect(progress.mappingVersion).toBe(asked + 1);
    expect(progress.flush, 'A9').toEqual({ 0: 0 });
  });

  test('a table that was dropped meanwhile is made again; one that differs now is refused and nothing changes', async () => {
    const { sink } = await make('tables');
    await harness.api.task('PATCH', sink, { table: { tableId: 'in.c-tables.u', mapping: mapping('a') } });
    const { tables } = harness.dependencies;
    const tableId = parseTableId('in.c-tables.t');
    await tables.dropTable(tableId, { signal });
    await rollback(sink, 1);
    expect(await columnsOf('in.c-tables.t')).toEqual(['id']);
    await harness.api.task('PATCH', sink, { table: { tableId: 'in.c-tables.u', mapping: mapping('a') } });
    await tables.dropTable(tableId, { signal });
    await tables.createTable(tableId, ['other'], { signal });
    const [before, progress] = [await get(sink), await progressOf('tables')];
    await expect(rollback(sink, 1)).rejects.toThrow(/in\.c-tables\.t/);
    expect(await get(sink)).toEqual(before);
    expect(await progressOf('tables')).toEqual(progress);
  });

  test('keeps the sink disabled, and an enabled one enabled', async () => {
    const { sink } = await make('stays');
    await harness.api.task('PUT', `${sink}/disable`);
    await harness.api.task('PATCH', sink, { description: 'Changed.' });
    await rollback(sink, 1);
    expect(await get(sink)).toMatchObject({ description: '', disabled: { reason: 'API' } });
    await harness.api.task('PUT', `${sink}/enable`);
    await harness.api.task('PATCH', sink, { description: 'Changed.' });
    await rollback(sink, 2);
    expect(await get(sink)).not.toHaveProperty('disabled');
  });

  test('D9: a template of an old version that this product does not take is refused in the request', async () => {
    const { sink } = await make('old');
    await harness.api.task('PATCH', sink, { description: 'Changed.' });
    const { catalog } = harness.dependencies;
    const [kept] = await catalog.list(
      { collection: 'sink-version', prefix: '000000000000001/old/k/000000000000001' },
      { signal },
    );
    const { version, definition } = (kept?.value ?? {}) as { version: object; definition: { table: object } };
    const template = { language: 'jsonnet', content: 'Nothing(' };
    const columns = [{ type: 'template', name: 'id', rawString: false, template }];
    const value = { version, definition: { ...definition, table: { ...definition.table, columns } } };
    await putRaw(catalog, { collection: 'sink-version', id: kept?.id ?? '', value });
    const answer = await harness.api.request('PUT', `${sink}/versions/1/rollback`);
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      error: 'stream.api.badRequest',
      message: expect.stringContaining('"id"') as string,
    });
  });
});

describe.each(['source', 'sink'] as const)('rollback of a %s', (of) => {
  test('A23: to what it is already succeeds and changes nothing', async () => {
    const paths = await make(`same-${of}`);
    await harness.api.task('PUT', `${paths[of]}/disable`);
    const before = await get(paths[of]);
    await rollback(paths[of], 1);
    expect(await get(paths[of])).toEqual(before);
  });

  test('D9: a version that is not there, and what is no number, are refused in the request', async () => {
    const paths = await make(`none-${of}`);
    const answer = (number: string) => harness.api.request('PUT', `${paths[of]}/versions/${number}/rollback`);
    expect((await answer('2')).body).toMatchObject({ error: `stream.api.${of}VersionNotFound`, statusCode: 404 });
    for (const number of ['0', 'x']) expect((await answer(number)).status).toBe(400);
  });

  test('past the number of versions that one may have: 409', async () => {
    const name = `full-${of}`;
    const paths = await make(name);
    await harness.api.task('PATCH', paths[of], { description: 'Changed.' });
    const { catalog } = harness.dependencies;
    const [found] = await catalog.list({ collection: of, prefix: `000000000000001/${name}` }, { signal });
    const stored = of === 'source' ? sourceDocuments.parse(found?.value) : sinkDocuments.parse(found?.value);
    const value = { ...stored, version: { ...stored.version, number: limits.versionsPerObject } };
    await putRaw(catalog, { collection: of, id: found?.id ?? '', value });
    expect((await harness.api.request('PUT', `${paths[of]}/versions/1/rollback`)).body).toMatchObject({
      statusCode: 409,
      error: 'stream.api.versionCountLimitReached',
    });
  });
});
