import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import type { Configuration } from '../../core/configuration.ts';
import { defaultBranch } from '../../core/ids.ts';
import { putDocument } from '../../documents/change-document.ts';
import { configurationDocuments } from '../../documents/configuration-document.ts';
import { configurationDocumentId } from '../../documents/document-id.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { Configurations } from './configurations.ts';
import { keepVersion } from './configuration-versions.ts';

const stack = new AsyncDisposableStack();
const options = { signal: new AbortController().signal };
const component = { branchId: defaultBranch, componentId: 'generic-extractor' } as const;
const count = 30;
let catalog: Catalog;

const version = (number: number): Configuration['version'] => ({
  number,
  changeDescription: '',
  at: '2026-01-01T00:00:00.000Z',
  by: { type: 'system' },
});
const configuration = (id: string, number: number): Configuration => ({
  ...component,
  configurationId: id,
  name: id,
  description: '',
  configuration: JSON.stringify({ parameters: { text: 'x'.repeat(100_000) } }),
  state: '',
  isDisabled: false,
  rows: [],
  created: { at: '2026-01-01T00:00:00.000Z', by: { type: 'system' } },
  version: version(number),
});

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-configurations-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  catalog = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
  for (let at = 1; at <= count; at += 1) {
    const value = configuration(`c${at}`, 1);
    await putDocument(catalog, { kind: configurationDocuments, id: configurationDocumentId(value), value }, options);
    await keepVersion(catalog, configuration('c1', at), options);
  }
});

afterAll(() => stack.disposeAsync());

/** How often others had a turn while the work went on. */
async function turnsDuring(work: () => Promise<void>): Promise<number> {
  let turns = 0;
  let beat = setImmediate(function count() {
    turns += 1;
    beat = setImmediate(count);
  });
  await work();
  clearImmediate(beat);
  return turns;
}

test('D8: between two configurations of a list others have a turn', async () => {
  const turns = await turnsDuring(async () => {
    let listed = 0;
    for await (const one of new Configurations(catalog).list(component, { ...options, deleted: false }))
      listed += one.configurationId.length > 0 ? 1 : 0;
    expect(listed).toBe(count);
  });
  expect(turns).toBeGreaterThanOrEqual(count);
});

test('D8: between two versions of a configuration others have a turn', async () => {
  const turns = await turnsDuring(async () => {
    for (let number = 1; number <= count; number += 1) {
      const found = await new Configurations(catalog).findVersion(configuration('c1', count), number, options);
      expect(found?.version.number).toBe(number);
    }
  });
  expect(turns).toBeGreaterThanOrEqual(count);
});
