import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { eventually } from '../../../test/support/eventually.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import type { RunProgress } from '../../core/jobs/run-progress.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { jobProgressDocuments } from '../../documents/job-progress-document.ts';
import { readDocument } from '../../documents/read-document.ts';
import type { Catalog, CatalogWrite, CasResult } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { ProgressWriter } from './progress-writer.ts';

class NotedClock extends FakeClock {
  readonly slept: number[] = [];

  override sleep(ms: number, options: Waiting): Promise<void> {
    this.slept.push(ms);
    return super.sleep(ms, options);
  }
}

const waiting = { signal: new AbortController().signal };
const everyMs = 2000;
let folder: string;
let catalog: Catalog;
let clock: NotedClock;
let writes: number;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-progress-'));
  catalog = await openLmdbCatalog({ path: join(folder, 'catalog') });
  clock = new NotedClock();
  writes = 0;
});

afterEach(async () => {
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

/** The catalog, counting what is written to it. */
function counted(): Catalog {
  const compareAndSet = (write: CatalogWrite, options: Waiting): Promise<CasResult> => {
    writes += 1;
    return catalog.compareAndSet(write, options);
  };
  return new Proxy(catalog, {
    get: (of, name) => {
      if (name === 'compareAndSet') return compareAndSet;
      const found: unknown = Reflect.get(of, name);
      return typeof found === 'function' ? (found.bind(of) as unknown) : found;
    },
  });
}

const writerOf = (attempt: number): ProgressWriter =>
  new ProgressWriter({ catalog: counted(), clock, jobId: '7', run: { attempt, owner: `life ${attempt}` }, everyMs });

async function written(): Promise<RunProgress | undefined> {
  return (await readDocument(catalog, { kind: jobProgressDocuments, id: jobDocumentId('7') }, waiting))?.value;
}

test('J12: writes the newest state, and no more than one in its interval', async () => {
  const writer = writerOf(1);
  for (let pages = 1; pages <= 50; pages += 1) writer.tell({ pages, rows: pages * 10, bytes: pages * 100 });
  expect(writes).toBe(0);
  clock.advance(everyMs);
  await eventually(async () =>
    expect(await written()).toMatchObject({ attempt: 1, pages: 50, rows: 500, bytes: 5000 }),
  );
  for (let pages = 51; pages <= 99; pages += 1) writer.tell({ pages, rows: pages * 10, bytes: pages * 100 });
  // What is written can be read before the writer has its answer.
  await eventually(() => expect(clock.slept).toEqual([everyMs, everyMs]));
  clock.advance(everyMs);
  await eventually(async () => expect(await written()).toMatchObject({ pages: 99 }));
  expect(writes).toBe(2);
  expect(clock.slept).toEqual([everyMs, everyMs]);
});

test('J12: the last state is written when the run ends, without waiting for its turn', async () => {
  const writer = writerOf(1);
  writer.tell({ pages: 3, rows: 25, bytes: 700 });
  await writer.close(1000, waiting);
  expect(await written()).toMatchObject({ pages: 3, rows: 25, at: new Date(clock.now()).toISOString() });
  await writer.close(1000, waiting);
  expect(writes).toBe(1);
});

test('J12: a run that has lost its job does not write over the one that has it', async () => {
  const [lost, later] = [writerOf(1), writerOf(2)];
  later.tell({ pages: 1, rows: 1, bytes: 1 });
  await later.close(1000, waiting);
  lost.tell({ pages: 9, rows: 9, bytes: 9 });
  await lost.close(1000, waiting);
  expect(await written()).toMatchObject({ attempt: 2, pages: 1 });
});

test('J12: a catalog that is away neither fails the run nor holds it up', async () => {
  const writer = new ProgressWriter({
    catalog: { ...counted(), get: () => Promise.reject(new Error('away')) },
    clock,
    jobId: '7',
    run: { attempt: 1, owner: 'life' },
    everyMs,
  });
  writer.tell({ pages: 1, rows: 1, bytes: 1 });
  clock.advance(everyMs);
  await writer.close(1000, waiting);
  expect(await written()).toBeUndefined();
});
