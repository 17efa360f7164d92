import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { change, importAll, stageAll } from '../../test/support/deliver.ts';
import { progressDocuments } from '../documents/progress-document.ts';
import { progressId } from '../documents/document-id.ts';
import { parseIncarnation } from '../core/ids.ts';
import { holesOf } from '../core/progress/holes.ts';
import { noTotals, type SinkProgress } from '../core/progress/sink-progress.ts';
import { listDocuments } from '../documents/list-documents.ts';
import { clearStatisticsOf } from './operations/clear-statistics.ts';

const branch = '/v1/branches/default';
const S = `${branch}/sources`;
const signal = new AbortController().signal;
const table = (name: string) => ({
  tableId: `in.c-shop.${name}`,
  mapping: { columns: [{ type: 'uuid', name: 'id' }] },
});

let harness: AdminHarness;
let reads = 0;

beforeAll(async () => {
  harness = await startAdmin((dependencies) => ({ ...dependencies, catalog: counted(dependencies.catalog) }));
  for (const name of ['a', 'a-b', 'c'])
    await harness.api.task('POST', S, {
      type: 'http',
      name,
      sinks: ['k', 'l'].map((sink) => ({ name: sink, table: table(`${name}-${sink}`) })),
    });
});

afterAll(() => harness[Symbol.asyncDispose]());

/** The same store, its reads counted. */
function counted<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      if (name === 'get' || name === 'list') reads += 1;
      return (member as (...given: unknown[]) => unknown).bind(target);
    },
  });
}

async function progressOf(source: string, sink: string): Promise<SinkProgress> {
  const found = await listDocuments(harness.dependencies.catalog, { kind: progressDocuments }, { signal });
  const all = found;
  const progress = all.find(({ key, deleted }) => key.sourceId === source && key.sinkId === sink && !deleted);
  if (progress === undefined) throw new Error(`no progress of ${source}/${sink}`);
  return progress;
}

async function send(source: string, count: number): Promise<void> {
  const records = Array.from({ length: count }, () => ({ value: Buffer.from('{}'), headers: [], timestamp: 1 }));
  await harness.dependencies.sourceLog.append({ topic: `source.1.${source}`, partition: 0 }, records, { signal });
}

interface Aggregation {
  readonly page: object;
  readonly sources: readonly {
    readonly sourceId: string;
    readonly http: object;
    readonly sinks: readonly {
      readonly sinkId: string;
      readonly table: object;
      readonly statistics: {
        readonly total: { readonly recordsCount: number };
        readonly levels: object;
        readonly files: readonly { readonly state: string }[];
      };
    }[];
  }[];
}

const aggregate = (query = '') => harness.api.call<Aggregation>('GET', `${branch}/aggregation/sources${query}`);

describe('aggregation', () => {
  test('lists sources by page, each with all its sinks as their own addresses show them', async () => {
    const first = await aggregate('?limit=2');
    expect(first.page).toEqual({ limit: 2, totalCount: 3, afterId: '', lastId: 'a-b' });
    expect(first.sources.map(({ sourceId, sinks }) => [sourceId, sinks.map(({ sinkId }) => sinkId)])).toEqual([
      ['a', ['k', 'l']],
      ['a-b', ['k', 'l']],
    ]);
    const shown = first.sources[0];
    expect({ ...shown, sinks: undefined }).toEqual(await harness.api.call('GET', `${S}/a`));
    const sink = shown?.sinks[0];
    expect({ ...sink, statistics: undefined }).toEqual(await harness.api.call('GET', `${S}/a/sinks/k`));
    const statistics = { total: { recordsCount: 0 }, levels: {}, files: [{ state: 'writing' }] };
    expect(sink).toMatchObject({ statistics });
    expect((await aggregate('?limit=2&afterId=a-b')).sources.map(({ sourceId }) => sourceId)).toEqual(['c']);
  });

  test('D4: counts what each sink has at each level; files are the newest first', async () => {
    await send('a', 3);
    const { incarnation } = await progressOf('a', 'k');
    await stageAll(harness.dependencies, incarnation);
    await importAll(harness.dependencies, incarnation);
    await send('a', 2);
    await stageAll(harness.dependencies, incarnation);
    await send('a', 1);
    const [source] = (await aggregate('?limit=1')).sources;
    const [k, l] = source?.sinks ?? [];
    const level = (recordsCount: number) => ({ recordsCount, uncompressedSize: recordsCount * 10 });
    const local = { recordsCount: 1, uncompressedSize: 0 };
    expect(k?.statistics).toMatchObject({
      total: { recordsCount: 6, uncompressedSize: 50 },
      levels: { local, staging: level(2), target: level(3) },
    });
    expect(k?.statistics.files.map(({ state }) => state)).toEqual(['writing', 'imported']);
    expect(l?.statistics).toMatchObject({ total: { recordsCount: 6 }, levels: { local: { recordsCount: 6 } } });
    expect(await harness.api.call('GET', `${S}/a/sinks/k/statistics/total`)).toEqual({
      total: k?.statistics.total,
      levels: k?.statistics.levels,
    });
  });

  test('D4: ends of another topic than that of a sink say nothing about it', async () => {
    await send('a-b', 2);
    const { incarnation } = await progressOf('a-b', 'k');
    const turn = (sourceIdentity: string) =>
      change(harness.dependencies.catalog, incarnation, (found) => ({
        ...found,
        topics: { ...found.topics, sourceIdentity },
      }));
    const { sourceIdentity } = (await progressOf('a-b', 'k')).topics;
    await turn('another');
    const [k, l] = (await aggregate()).sources[1]?.sinks ?? [];
    await turn(sourceIdentity);
    expect(k?.statistics.levels).toEqual({});
    expect(l?.statistics.levels).toMatchObject({ local: { recordsCount: 2 } });
  });

  test('D6: a source whose topic is gone hides nothing of the others, and only its own level before staging', async () => {
    await send('c', 4);
    const { incarnation } = await progressOf('c', 'k');
    await stageAll(harness.dependencies, incarnation);
    await send('c', 1);
    await harness.dependencies.sourceLog.deleteTopic('source.1.c', { signal });
    const { sources } = await aggregate();
    expect(sources[2]?.sinks[0]?.statistics).toMatchObject({
      total: { recordsCount: 4 },
      levels: { staging: { recordsCount: 4 } },
    });
    expect(sources[2]?.sinks[0]?.statistics.levels).not.toHaveProperty('local');
    expect(sources[0]?.sinks[0]?.statistics.total.recordsCount).toBe(6);
    expect((await harness.api.request('GET', `${S}/c/sinks/k/statistics/total`)).status).toBe(503);
  });

  test('D8: reads do not grow with the number of sinks', async () => {
    const countReads = async (): Promise<number> => {
      const before = reads;
      await aggregate();
      return reads - before;
    };
    const few = await countReads();
    for (let sink = 0; sink < 20; sink += 1)
      await harness.api.task('POST', `${S}/a-b/sinks`, { name: `more-${sink}`, table: table(`a-b-more-${sink}`) });
    expect(await countReads()).toBe(few);
    expect((await aggregate()).sources[1]?.sinks).toHaveLength(22);
  });
});

describe('statistics', () => {
  test.each(['statistics/total', 'statistics/files'])('%s of what is not there: 404', async (path) => {
    expect((await harness.api.request('GET', `${S}/none/sinks/k/${path}`)).body).toMatchObject({
      error: 'stream.api.sourceNotFound',
    });
    expect((await harness.api.request('GET', `${S}/a/sinks/none/${path}`)).body).toMatchObject({
      error: 'stream.api.sinkNotFound',
    });
  });

  test('D9: failedFiles is true or false', async () => {
    const files = (value: string) => harness.api.request('GET', `${S}/a/sinks/k/statistics/files?failedFiles=${value}`);
    expect((await files('maybe')).body).toMatchObject({ statusCode: 400, error: 'stream.api.invalidEnumValue' });
    expect((await files('true')).body).toEqual({ files: [] });
    expect((await files('false')).body).toMatchObject({ files: [{ state: 'imported' }, { state: 'writing' }] });
  });

  test('D2: clearing a sink, deleted or not, acknowledges the holes of all its incarnations that are still there', async () => {
    const { catalog } = harness.dependencies;
    const path = `${S}/a-b/sinks/k`;
    const lost: number[] = [];
    const loseAndDelete = async (): Promise<void> => {
      const { incarnation } = await progressOf('a-b', 'k');
      await change(catalog, incarnation, (progress) => ({ ...progress, totals: { 0: { ...noTotals, holes: 3 } } }));
      lost.push(incarnation);
      await harness.api.task('DELETE', path);
    };
    const ringing = async (): Promise<readonly number[]> => {
      const found = await Promise.all(
        lost.map((one) => catalog.get('progress', progressId(parseIncarnation(one)), { signal })),
      );
      return found.map((one) => holesOf(progressDocuments.parse(one?.value)).ringing);
    };
    await loseAndDelete();
    await harness.api.task('PUT', `${path}/undelete`);
    await harness.api.call('DELETE', `${path}/statistics/clear`);
    expect(await ringing()).toEqual([0]);
    await loseAndDelete();
    expect(await ringing()).toEqual([0, 3]);
    await harness.api.call('DELETE', `${path}/statistics/clear`);
    expect(await ringing()).toEqual([0, 0]);
  });

  test('D2, D6: a document that cannot be read keeps no other sink from being cleared, and is told', async () => {
    const { catalog } = harness.dependencies;
    const holes = (count: number) => (progress: SinkProgress) => ({
      ...progress,
      totals: { 0: { ...noTotals, holes: count } },
    });
    const [{ incarnation: first }, { incarnation: second }] = [await progressOf('c', 'k'), await progressOf('c', 'l')];
    for (const one of [first, second]) await change(catalog, one, holes(4));
    const id = progressId(first);
    const ringing = async () => holesOf(await progressOf('c', 'l')).ringing;
    const path = `${S}/c/statistics/clear`;
    const kept = progressDocuments.parse((await catalog.get('progress', id, { signal }))?.value);
    const put = async (value: object) => {
      const { revision } = (await catalog.get('progress', id, { signal })) ?? {};
      await catalog.compareAndSet({ collection: 'progress', id, expected: revision, value }, { signal });
    };
    for (const broken of [{ ...kept, staged: 'none' }, {}]) {
      await put(broken);
      expect((await harness.api.request('DELETE', path)).status).toBe(500);
      await expect(
        clearStatisticsOf(harness.dependencies, ({ sourceId }) => sourceId === 'c', { signal }),
      ).rejects.toMatchObject({
        code: 'catalog.invalidDocument',
        message: expect.stringContaining(`incarnations ${id} are not cleared`) as string,
      });
    }
    const other = `${S}/a/statistics/clear`;
    await put({ ...kept, staged: 'none' });
    expect((await harness.api.request('DELETE', other)).status).toBe(200);
    await put(kept);
    expect(await ringing()).toBe(0);
    expect((await harness.api.request('DELETE', path)).status).toBe(200);
    expect(holesOf(await progressOf('c', 'k')).ringing).toBe(0);
  });

  test('clearing a source clears all its sinks; a sink that is not there, or no source, is refused', async () => {
    const { incarnation } = await progressOf('a', 'l');
    await stageAll(harness.dependencies, incarnation);
    await importAll(harness.dependencies, incarnation);
    expect((await progressOf('a', 'l')).imported).toMatchObject({ rows: 6 });
    expect(await harness.api.request('DELETE', `${S}/a/statistics/clear`)).toMatchObject({ status: 200, body: {} });
    for (const sink of ['k', 'l']) expect((await progressOf('a', sink)).imported).toMatchObject({ rows: 0 });
    for (const path of [`${S}/none`, `${S}/a/sinks/none`])
      expect((await harness.api.request('DELETE', `${path}/statistics/clear`)).status).toBe(404);
  });
});
