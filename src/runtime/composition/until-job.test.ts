import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createdJob } from '../../../test/support/any-job.ts';
import { hourly } from '../../../test/support/any-schedule.ts';
import { eventually } from '../../../test/support/eventually.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { openLmdbCatalog } from '../../adapters/lmdb/catalog.ts';
import { endJob } from '../../core/jobs/end-job.ts';
import { takeJob } from '../../core/jobs/take-job.ts';
import { putDocument } from '../../documents/change-document.ts';
import { configurationDocumentId, jobDocumentId } from '../../documents/document-id.ts';
import { jobDocuments } from '../../documents/job-document.ts';
import { scheduleDocuments } from '../../documents/schedule-document.ts';
import type { Catalog } from '../../ports/catalog.ts';
import { untilJob } from './until-job.ts';

const never = { signal: new AbortController().signal };

let folder: string;
let catalog: Catalog;
let ending: AbortController;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-until-'));
  catalog = await openLmdbCatalog({ path: join(folder, 'catalog') });
  ending = new AbortController();
});

afterEach(async () => {
  ending.abort();
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Looks by a clock that the test moves. */
function waiting(): { readonly clock: FakeClock; readonly isOver: () => boolean } {
  const clock = new FakeClock();
  let isOver = false;
  untilJob(catalog, clock, { signal: ending.signal }).then(
    () => (isOver = true),
    () => undefined,
  );
  return { clock, isOver: () => isOver };
}

/** As often as it takes. */
async function over({ clock, isOver }: ReturnType<typeof waiting>): Promise<void> {
  await eventually(() => {
    clock.advance(1000);
    expect(isOver()).toBe(true);
  });
}

test('S8: there is something to do when there is a schedule', async () => {
  const looking = waiting();
  await putDocument(
    catalog,
    { kind: scheduleDocuments, id: configurationDocumentId(hourly()), value: hourly() },
    never,
  );
  await over(looking);
  await over(waiting());
});

test('there is something to do when there is a job that has not ended, and not before', async () => {
  const taking = takeJob(createdJob('1'), { owner: 'a life', at: '2026-01-01T00:00:00.000Z' });
  if (taking.kind !== 'taken') throw new Error('not taken');
  const result = { message: '', tables: [], variables: [] };
  const ended = endJob(taking.job, taking.job.run, { status: 'success', at: '2026-01-01T00:00:00.000Z', result });
  if (ended === undefined) throw new Error('not ended');
  await putDocument(catalog, { kind: jobDocuments, id: jobDocumentId('1'), value: ended }, never);
  const looking = waiting();
  for (let round = 0; round < 3; round += 1) {
    looking.clock.advance(1000);
    await catalog.list({ collection: 'job', prefix: '', limit: 1 }, never);
  }
  expect(looking.isOver()).toBe(false);
  await putDocument(catalog, { kind: jobDocuments, id: jobDocumentId('2'), value: createdJob('2') }, never);
  await over(looking);
});
