import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';

const S = '/v1/branches/default/sources';

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

interface Page {
  readonly page: { readonly lastId: string; readonly totalCount: number };
  readonly sources: readonly { readonly sourceId: string }[];
}

const two = (number: number): string => String(number).padStart(2, '0');
const range = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index);

async function createSource(name: string): Promise<void> {
  await harness.api.task('POST', S, { type: 'http', name, sourceId: name });
}

/** Ids of all sources, read in small pages. */
async function readThrough(): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let after = ''; ;) {
    const { page, sources } = await harness.api.call<Page>('GET', `${S}?limit=7&afterId=${after}`);
    if (sources.length === 0) return ids;
    ids.push(...sources.map(({ sourceId }) => sourceId));
    after = page.lastId;
  }
}

test('100 sinks that are created side by side in one source all exist with their tables', async () => {
  await createSource('wide');
  const sinks = range(100).map((number) => `sink-${two(number)}`);
  const table = (sinkId: string): object => ({
    tableId: `in.c-wide.${sinkId}`,
    mapping: { columns: [{ type: 'body', name: 'body' }] },
  });
  await Promise.all(
    sinks.map((sinkId) => harness.api.task('POST', `${S}/wide/sinks`, { name: sinkId, sinkId, table: table(sinkId) })),
  );
  const listed = await harness.api.call<{ sinks: { sinkId: string }[] }>('GET', `${S}/wide/sinks`);
  expect(listed.sinks.map(({ sinkId }) => sinkId)).toEqual(sinks);
  const tables = await harness.api.call<{ id: string }[]>('GET', '/v2/storage/tables');
  expect(tables.map(({ id }) => id)).toEqual(expect.arrayContaining(sinks.map((sinkId) => `in.c-wide.${sinkId}`)));
  const more = await harness.api.request('POST', `${S}/wide/sinks`, { name: 'one-more', table: table('one-more') });
  expect(more).toMatchObject({ status: 409, body: { error: 'stream.api.sinkCountLimitReached' } });
});

test('pages of sources that are read while others come and go repeat none and miss none that was there all along', async () => {
  const stays = range(90).map((number) => `stays-${two(number)}`);
  const comes = range(8).map((number) => `stays-${two(number * 11)}-comes`);
  await Promise.all(stays.map(createSource));
  const reading = new AbortController();
  let changes = 0;
  const change = async (name: string): Promise<void> => {
    while (!reading.signal.aborted) {
      await createSource(name);
      await harness.api.task('DELETE', `${S}/${name}`);
      changes += 1;
    }
  };
  const changing = Promise.all(comes.map(change));
  const seen = new Set<string>();
  while (seen.size < comes.length || changes < 5 * comes.length) {
    const ids = await readThrough();
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids).toEqual(ids.toSorted());
    expect(ids.filter((id) => stays.includes(id))).toEqual(stays);
    for (const id of ids) if (comes.includes(id)) seen.add(id);
  }
  reading.abort();
  await changing;
});
