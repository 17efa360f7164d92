import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waiting } from '../../../test/contract/store-on-test.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { collections, type Catalog, type Collection } from '../../ports/catalog.ts';
import { moveDocuments } from './move-documents.ts';
import { documentsIn } from './moved-documents.ts';

let folder: string;
let stack: AsyncDisposableStack;
let from: Catalog;
let to: Catalog;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-documents-'));
  stack = new AsyncDisposableStack();
  const open = async (name: string): Promise<Catalog> =>
    stack.use(await openLmdbCatalog({ path: join(folder, name), onBroken: () => undefined }));
  [from, to] = [await open('from'), await open('to')];
});

afterEach(async () => {
  await stack.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

async function put(collection: Collection, id: string, value: object): Promise<void> {
  await from.compareAndSet({ collection, id, expected: undefined, value }, waiting);
}

async function all(catalog: Catalog): Promise<ReadonlyMap<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const collection of collections)
    for await (const { id, value } of documentsIn(catalog, collection, waiting))
      found.set(`${collection} ${id}`, value);
  return found;
}

const stamp = { at: '2026-01-01T00:00:00.000Z', by: { type: 'user' } };
const source = {
  branchId: 1,
  sourceId: 'shop',
  type: 'http',
  name: 'Shop',
  description: '',
  secrets: [{ text: 'secret' }],
  settings: {},
  version: { ...stamp, number: 1, hash: '0'.repeat(16), description: '' },
  created: stamp,
  topic: 'source.1.shop.4',
  topicIdentity: 'now',
  partitions: 1,
  incarnation: 4,
  retired: [
    { name: 'source.1.shop', identity: 'a' },
    { name: 'source.1.shop.2', identity: 'gone' },
  ],
  ofANewerRelease: { kept: true },
};

it('M2: takes along every document but those of the process, whoever wrote more into them', async () => {
  for (const collection of collections)
    if (!['meta', 'source', 'progress'].includes(collection)) await put(collection, 'x', { of: collection });
  for (let at = 0; at < 1100; at += 1) await put('audit', String(at).padStart(5, '0'), { at });
  const progress = { ...progressOf(30), ofANewerRelease: 1, format: { version: 2, oldestWriter: 2 } };
  await put('progress', '00001', progress);
  await put('source', '000000000000001/shop', source);
  const kept = ['incarnation', 'job', 'sampling-clock-jumps', 'work-life/main'];
  const left = ['admin', 'installation', 'migration', 'missing-servers/main', 'retention-ages', 'worker/main'];
  for (const id of [...kept, ...left]) await put('meta', id, { id });
  const topics = [
    { name: 'source.1.shop', identityBefore: 'a', identity: 'A', firsts: [0] },
    { name: 'source.1.shop.4', identityBefore: 'now', identity: 'NOW', firsts: [0] },
  ];
  const expected = new Map(await all(from));
  for (const id of left) expected.delete(`meta ${id}`);
  expected.set('progress 00001', { ...progress, topics: { ...progress.topics, sourceIdentity: 'A' } });
  const [first, second] = source.retired;
  const retired = [{ ...first, identity: 'A' }, second];
  expected.set('source 000000000000001/shop', { ...source, topicIdentity: 'NOW', retired });
  for (let round = 0; round < 2; round += 1) {
    await moveDocuments({ from, to, topics, ...waiting });
    expect(await all(to)).toEqual(expected);
  }
});
