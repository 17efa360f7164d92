import { afterEach, beforeEach, expect, it } from 'vitest';
import { DeliveryWorld, never } from '../../../test/support/faults/delivery-world.ts';
import { addWorldSource } from '../../../test/support/faults/world-source.ts';
import { sourceDocumentId } from '../../documents/document-id.ts';
import { defaultBranch, parseBranchId, parseSourceId } from '../../core/ids.ts';
import type { Source } from '../../core/source.ts';
import { Definitions } from './definitions.ts';
import { SourceIndex } from './source-index.ts';

let world: DeliveryWorld;
let shop: Source;

beforeEach(async () => {
  world = await DeliveryWorld.open();
  shop = await addWorldSource(world);
});
afterEach(() => world[Symbol.asyncDispose]());

/** A copy of the source under another id. */
async function put(name: string, fields: Partial<Source> = {}): Promise<void> {
  const sourceId = parseSourceId(name);
  await world.put('source', sourceDocumentId({ branchId: defaultBranch, sourceId }), { ...shop, sourceId, ...fields });
}

const deleted = { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' }, withSource: false } as const;

it('knows which sources are there, deleted or erased, with whatever was written before the look', async () => {
  const index = new SourceIndex(world.ports.catalog);
  const look = async (): Promise<readonly (readonly string[])[]> => {
    const branch = await index.of(defaultBranch, never);
    return (['there', 'deleted', 'erased'] as const).map((state) => branch.ids(state));
  };
  await put('b');
  await put('a', { deleted });
  expect(await look()).toEqual([['b', 'shop'], ['a'], []]);
  await put('b', { deleted });
  await put('a', { deleted, erased: { tables: [], isDone: true } });
  await put('c');
  expect(await look()).toEqual([['c', 'shop'], ['b'], ['a']]);
  const id = sourceDocumentId({ branchId: defaultBranch, sourceId: parseSourceId('c') });
  const found = await world.ports.catalog.get('source', id, never);
  await world.ports.catalog.remove('source', id, found?.revision ?? 0, never);
  const branch = await index.of(defaultBranch, never);
  expect([branch.ids('there'), branch.count('there'), branch.has('c', 'there')]).toEqual([['shop'], 1, false]);
  expect((await index.of(parseBranchId('2'), never)).ids('there')).toEqual([]);
});

it('drops a look that was overtaken, so that what is gone does not come back', async () => {
  const { catalog } = world.ports;
  const overtaken = Promise.withResolvers<void>();
  let asked = 0;
  const changes: typeof catalog.changes = async (query, options) => {
    asked += 1;
    const isFirst = asked === 1;
    const answer = await catalog.changes(query, options);
    if (isFirst) await overtaken.promise;
    return answer;
  };
  const index = new SourceIndex({ changes });
  const slow = index.of(defaultBranch, never);
  await put('shop', { deleted });
  await index.of(defaultBranch, never);
  overtaken.resolve();
  expect((await slow).ids('there')).toEqual([]);
});

it('D6: a document under an id of no branch, or of another source, keeps no other source from being found', async () => {
  const { catalog } = world.ports;
  const definitions = new Definitions(catalog);
  for (const id of ['shop', '000000000000000/shop']) await world.put('source', id, shop);
  const page = (): ReturnType<Definitions['sourcePage']> =>
    definitions.sourcePage(defaultBranch, { state: 'there', limit: 10 }, never);
  expect(await page()).toEqual({ totalCount: 1, sources: [shop] });
  await put('b');
  expect((await definitions.sourcesIn(defaultBranch, never)).ids('there')).toEqual(['b', 'shop']);
  const misplaced = sourceDocumentId({ branchId: defaultBranch, sourceId: parseSourceId('copy') });
  await world.put('source', misplaced, shop);
  await expect(page()).rejects.toThrow(
    `the document "${misplaced}" of the collection "source" is not in its place: it belongs under the id "000000000000001/shop"`,
  );
});

it('a page has those of its state that follow an id, in their order, whatever lies between them', async () => {
  for (const [at, name] of ['a', 'b', 'c', 'd', 'e', 'f'].entries()) await put(name, at % 2 === 0 ? { deleted } : {});
  const definitions = new Definitions(world.ports.catalog);
  const page = async (afterId?: string): Promise<readonly [number, readonly string[]]> => {
    const { totalCount, sources } = await definitions.sourcePage(
      defaultBranch,
      { state: 'there', afterId, limit: 2 },
      never,
    );
    return [totalCount, sources.map(({ sourceId }) => sourceId)];
  };
  expect(await page()).toEqual([4, ['b', 'd']]);
  expect(await page('d')).toEqual([4, ['f', 'shop']]);
  expect(await page('e')).toEqual([4, ['f', 'shop']]);
  expect(await page('shop')).toEqual([4, []]);
});
