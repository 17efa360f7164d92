import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { progressOf } from '../../../test/support/progress-of.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { progressId } from '../../documents/document-id.ts';
import { parseIncarnation } from '../../core/ids.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { listProgress } from './list-progress.ts';

const signal = new AbortController().signal;
const stack = new AsyncDisposableStack();
/** Some close together, some far apart, and gaps between. */
const kept = new Set(
  [1, 2, 3, 5, 8, 90, 150, 151, 152, 400, 401, 5000, 5001, 1_000_000].map((one) => parseIncarnation(one)),
);
let catalog: Catalog;
let reads = 0;

beforeAll(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'millrace-progress-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const opened = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
  for (const incarnation of kept) {
    const value = { ...progressOf(0), incarnation };
    const write = { collection: 'progress', id: progressId(incarnation), expected: undefined, value } as const;
    await opened.compareAndSet(write, { signal });
  }
  catalog = new Proxy(opened, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (name === 'list') reads += 1;
      return typeof member === 'function' ? (member as (...given: unknown[]) => unknown).bind(target) : member;
    },
  });
});

afterAll(() => stack.disposeAsync());

test('D8: any set of incarnations is read once each, ascending, in no more reads than there are incarnations', async () => {
  const incarnation = fc.oneof(fc.constantFrom(...kept), fc.integer({ min: 1, max: 6000 }).map(parseIncarnation));
  await fc.assert(
    fc.asyncProperty(fc.array(incarnation, { maxLength: 30 }), async (wanted) => {
      reads = 0;
      const found: number[] = [];
      for await (const progress of listProgress(catalog, wanted, { signal })) found.push(progress.incarnation);
      const ascending = [...new Set(wanted)].filter((one) => kept.has(one)).sort((a, b) => a - b);
      expect(found).toEqual(ascending);
      expect(reads).toBeLessThanOrEqual(new Set(wanted).size);
    }),
  );
  reads = 0;
  for await (const progress of listProgress(catalog, kept, { signal })) expect(kept).toContain(progress.incarnation);
  expect(reads).toBeLessThan(kept.size);
});
