import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { putRaw } from '../../../test/support/put-raw.ts';
import { Faults } from '../../../test/support/faults/faults.ts';
import { progressOf, sliceOf } from '../../../test/support/progress-of.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { importId, progressId } from '../../documents/document-id.ts';
import { importNoteDocuments } from '../../documents/import-note-document.ts';
import { importNote, type ImportNote } from '../../core/import-note.ts';
import { limits } from '../../core/limits.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { ImportHistory } from './import-history.ts';

const never = { signal: new AbortController().signal };
const progress = progressOf(0);
const { incarnation } = progress;
const collection = 'import-history';

let stack: AsyncDisposableStack;
let catalog: Catalog;
let faults: Faults;
let history: ImportHistory;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'millrace-history-'));
  stack.defer(() => rm(folder, { recursive: true }));
  catalog = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
  faults = new Faults();
  history = new ImportHistory(faults.before('catalog', catalog));
  const write = { collection: 'progress', id: progressId(incarnation), expected: undefined, value: progress } as const;
  await catalog.compareAndSet(write, never);
});

afterEach(async () => {
  await stack[Symbol.asyncDispose]();
});

function note(number: number, id = `import-${number}`, verdict: ImportNote['verdict'] = 'loaded'): ImportNote {
  const slices = [
    sliceOf({ id: 'a', from: -1, to: 2, mappingVersion: 4 }),
    sliceOf({ id: 'b', from: 2, to: 3, dead: 1 }),
  ];
  return importNote(progress, { number, id, slices, startedAt: 1000 }, { verdict, at: 3500 });
}

async function kept(): Promise<readonly ImportNote[]> {
  const found = await catalog.list({ collection, prefix: '' }, never);
  return found.map(({ value }) => importNoteDocuments.parse(value));
}

describe('the history of imports', () => {
  it('U2: what a newer release noted of an import keeps no other note waiting', async () => {
    const [id, value] = [importId(incarnation, 1), { anew: true, format: { version: 9, oldestWriter: 9 } }];
    await putRaw(catalog, { collection, id, value });
    for (const number of [1, 2, 3]) history.note(note(number));
    await history.close();
    const found = await catalog.list({ collection, prefix: '' }, never);
    expect(found.map((one) => one.id)).toEqual([1, 2, 3].map((number) => importId(incarnation, number)));
    expect(found[0]?.value).toEqual(value);
  });

  it('says what an import held, when it ran and how it ended', async () => {
    history.note(note(7, 'x', 'abandoned'));
    await history.close();
    expect(await kept()).toEqual([
      {
        incarnation,
        number: 7,
        id: 'x',
        verdict: 'abandoned',
        rows: 4,
        dead: 1,
        slices: 2,
        bytes: 40,
        mappingVersion: 4,
        startedAt: 1000,
        finishedAt: 3500,
        durationMs: 2500,
        rowBytes: 40,
        firstArrival: 0,
        lastArrival: 0,
        // The slices follow each other.
        ranges: [{ partition: 0, from: -1, to: 3 }],
      },
    ]);
  });

  it('D8: keeps the last ones, and comes down again when it has grown too long', async () => {
    for (let number = 1; number <= limits.importHistory; number += 1) {
      history.note(note(number));
      await history.forget(progressOf(0).incarnation);
    }
    expect(await kept()).toHaveLength(limits.importHistory);
    // Some were not removed when they should have been, some were never written.
    for (const number of [limits.importHistory + 5, limits.importHistory + 6, limits.importHistory + 7]) {
      history.note(note(number));
      await history.forget(incarnation);
    }
    const numbers = (await kept()).map(({ number }) => number);
    expect(numbers).toHaveLength(limits.importHistory - 4);
    expect([numbers[0], numbers.at(-1)]).toEqual([8, limits.importHistory + 7]);
  });

  it('D3: an import has one note, whoever notes it and however often', async () => {
    const other = new ImportHistory(catalog);
    for (const each of [history, other, history]) each.note(note(1));
    await Promise.all([history.close(), other.close()]);
    expect(await kept()).toEqual([note(1)]);
  });

  it('an attempt under the number of another one, as after a restore, takes its place', async () => {
    history.note(note(1, 'before'));
    await history.forget(incarnation);
    history.note(note(1, 'after'));
    await history.close();
    expect(await kept()).toEqual([note(1, 'after')]);
  });

  it.each(['lostAnswer', 'lostRequest'] as const)('is written later when the catalog is away (%s)', async (kind) => {
    faults.add({ port: 'catalog', method: 'compareAndSet', kind });
    history.note(note(1));
    history.note(note(2));
    while (!faults.isSpent || (await kept()).length < 2) {
      history.writeAgain();
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(await kept()).toEqual([note(1), note(2)]);
  });

  it('D8: holds no more than one history in memory while the catalog is away', async () => {
    faults.away('catalog');
    for (let number = 1; number <= 3 * limits.importHistory; number += 1) history.note(note(number));
    await history.close();
    faults.back('catalog');
    expect(await kept()).toEqual([]);
  });

  it('leaves nothing of an incarnation that has been purged', async () => {
    const found = await catalog.get('progress', progressId(incarnation), never);
    await catalog.remove('progress', progressId(incarnation), found?.revision ?? 0, never);
    history.note(note(1));
    await history.close();
    expect(await kept()).toEqual([]);
  });
});
