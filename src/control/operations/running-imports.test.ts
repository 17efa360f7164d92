import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import type { SinkProgress } from '../../core/progress/sink-progress.ts';
import { createDocument } from '../../documents/change-document.ts';
import { progressId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { runningImports } from './running-imports.ts';

const never = { signal: new AbortController().signal };
const importing = { number: 1, id: 'running', startedAt: 0, slices: [sliceOf({ id: 'one', from: -1, to: 0 })] };
const progress: SinkProgress = { ...progressOf(0), importing };
const id = progressId(progress.incarnation);

let stack: AsyncDisposableStack;
let catalog: Catalog;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-running-'));
  stack.defer(() => rm(folder, { recursive: true }));
  catalog = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
  await createDocument(catalog, { kind: progressDocuments, id, value: progress }, never);
});

afterEach(() => stack[Symbol.asyncDispose]());

/** An importer of another process, which removes what it has brought to its end as soon as somebody has listed it. */
function endingBehindList(listed: Catalog): Catalog {
  return new Proxy(listed, {
    get: (target, name) => {
      const member: unknown = Reflect.get(target, name, target);
      if (typeof member !== 'function') return member;
      return async (...given: readonly unknown[]): Promise<unknown> => {
        const answer: unknown = await Reflect.apply(member, target, given);
        const held = name === 'list' ? await target.get('progress', id, never) : undefined;
        if (held !== undefined) await target.remove('progress', id, held.revision, never);
        return answer;
      };
    },
  });
}

it('an incarnation that ends behind the look at it runs no import, and is no error', async () => {
  expect(await runningImports(endingBehindList(catalog), () => true, never)).toEqual([]);
});

it('an import that runs by a mapping that is gone is told', async () => {
  await expect(runningImports(catalog, () => true, never)).rejects.toMatchObject({ code: 'catalog.invalidDocument' });
});
