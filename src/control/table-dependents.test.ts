import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { change, importAll, stageAll } from '../../test/support/deliver.ts';
import { listDocuments } from '../documents/list-documents.ts';
import { progressDocuments } from '../documents/progress-document.ts';

const options = { signal: new AbortController().signal };
const S = '/v1/branches/default/sources';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

const table = (tableId: string, columns: readonly string[]): object => ({
  tableId,
  mapping: { columns: columns.map((name) => ({ type: 'uuid', name })) },
});

/** A source with the sinks "k" and "other" to one table, of which "other" has accepted events. */
async function shared(source: string): Promise<void> {
  const sinks = ['k', 'other'].map((name) => ({ name, table: table(`in.c-${source}.t`, ['a']) }));
  await harness.api.task('POST', S, { type: 'http', name: source, sinks });
  await send(source);
}

async function send(source: string): Promise<void> {
  const records = [{ value: Buffer.from('{}'), headers: [], timestamp: 1 }];
  await harness.dependencies.sourceLog.append({ topic: `source.1.${source}`, partition: 0 }, records, options);
}

async function incarnationOf(source: string, sinkId: string): Promise<number> {
  const all = await listDocuments(harness.dependencies.catalog, { kind: progressDocuments }, options);
  const found = all.find(({ key }) => key.sourceId === source && key.sinkId === sinkId);
  if (found === undefined) throw new Error(`no progress of ${source}/${sinkId}`);
  return found.incarnation;
}

const leave = (source: string): Promise<unknown> =>
  harness.api.task('PATCH', `${S}/${source}/sinks/other`, { table: table(`in.c-${source}.u`, ['a']) });
const alter = (source: string): Promise<unknown> =>
  harness.api.task('PATCH', `${S}/${source}/sinks/k`, {
    table: { ...table(`in.c-${source}.t`, ['a', 'b']), alter: true },
  });
const columnsOf = async (source: string): Promise<unknown> =>
  harness.api.call('GET', `/v2/storage/tables/in.c-${source}.t`);

describe('a table that a sink has left, with events for it that are not staged yet', () => {
  test('D2, A49: keeps its columns, and the refusal names the sink and how it is delivered', async () => {
    await shared('left');
    await leave('left');
    await expect(alter('left')).rejects.toThrow(
      /what sink left\/other has accepted for it is not in it yet.*Flush what waits: sink left\/other/,
    );
    expect(await columnsOf('left')).toMatchObject({ columns: ['a'] });
    const waiting = [{ sourceId: 'left', sinkId: 'other', rows: 0, isBehind: true }];
    const dependents = '/v2/storage/tables/in.c-left.t/dependents';
    expect(await harness.api.call('GET', dependents)).toMatchObject({ sinks: [{ sinkId: 'k' }], waiting });
    // In staging they are counted.
    const incarnation = await incarnationOf('left', 'other');
    await stageAll(harness.dependencies, incarnation, { mappedWith: 1 });
    await expect(alter('left')).rejects.toThrow(/1 row of sink left\/other waits for it/);
    await importAll(harness.dependencies, incarnation);
    await alter('left');
    expect(await columnsOf('left')).toMatchObject({ columns: ['a', 'b'] });
  });

  test('D2, A49: keeps them until a later event of each partition is known to be of the later mapping', async () => {
    await shared('busy');
    const incarnation = await incarnationOf('busy', 'other');
    await stageAll(harness.dependencies, incarnation);
    await importAll(harness.dependencies, incarnation);
    await leave('busy');
    await send('busy');
    await expect(alter('busy')).rejects.toThrow(/sink busy\/other has accepted/);
    await stageAll(harness.dependencies, incarnation);
    await importAll(harness.dependencies, incarnation);
    // What comes now is of the mapping that was taken last.
    await send('busy');
    await alter('busy');
  });

  test('A49: a sink that was deleted after it had left is named, too, until it is delivered', async () => {
    await shared('gone');
    await leave('gone');
    const incarnation = await incarnationOf('gone', 'other');
    await harness.api.task('DELETE', `${S}/gone/sinks/other`);
    await expect(alter('gone')).rejects.toThrow(
      /what sink gone\/other has accepted.*is delivered by itself: try again soon/,
    );
    await stageAll(harness.dependencies, incarnation, { mappedWith: 1 });
    await importAll(harness.dependencies, incarnation);
    await alter('gone');
  });

  test('A49: is not deleted, emptied or renamed either', async () => {
    await shared('kept');
    await leave('kept');
    await harness.api.task('DELETE', `${S}/kept/sinks/k`);
    const path = '/v2/storage/tables/in.c-kept.t';
    for (const [method, url] of [
      ['DELETE', path],
      ['DELETE', `${path}/rows`],
      ['POST', `${path}/rename`],
    ] as const) {
      const body = method === 'POST' ? { name: 'x' } : undefined;
      const answer = await harness.api.request(method, url, body);
      expect([answer.status, answer.text]).toEqual([409, expect.stringContaining('Flush what waits: sink kept/other')]);
    }
  });

  test('a sink whose source topic is lost keeps the table as it is: nobody knows what it has', async () => {
    await shared('lost');
    await leave('lost');
    const topics = { source: 'source.1.gone', sourceIdentity: 'gone' };
    const incarnation = await incarnationOf('lost', 'other');
    await change(harness.dependencies.catalog, incarnation, (progress) => ({
      ...progress,
      topics: { ...progress.topics, ...topics },
    }));
    await expect(alter('lost')).rejects.toThrow(/sink lost\/other has accepted/);
  });
});
