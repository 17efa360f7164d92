import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createdJob } from '../../test/support/any-job.ts';
import { openLmdbCatalog } from '../adapters/lmdb/catalog.ts';
import type { JobEvent } from '../core/jobs/job-event.ts';
import { limits } from '../core/limits.ts';
import { createEventIds } from '../events/event-id.ts';
import type { Catalog } from '../ports/catalog.ts';
import { jobEventPrefix } from './document-id.ts';
import { jobEventDocuments } from './job-event-document.ts';
import { JobLog } from './job-log.ts';
import { listDocuments } from './list-documents.ts';

const options = { signal: new AbortController().signal };
const job = createdJob('7', { configurationId: 'shop' });

let folder: string;
let catalog: Catalog;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-job-log-'));
  catalog = await openLmdbCatalog({ path: join(folder, 'catalog') });
});

afterEach(async () => {
  await catalog[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** Of a process whose clock says this. */
function open(now: number): Promise<JobLog> {
  const eventId = createEventIds((words) => crypto.getRandomValues(words));
  return JobLog.open({ catalog, clock: { now: () => now }, eventId }, job, options);
}

function lines(): Promise<readonly JobEvent[]> {
  return listDocuments(catalog, { kind: jobEventDocuments, prefix: jobEventPrefix('7') }, options);
}

test('lines stand in the order in which they were written, even when nobody waited', async () => {
  const log = await open(1000);
  const texts = Array.from({ length: 200 }, (_, index) => `line ${index}`);
  await Promise.all(texts.map((text) => log.write('info', text, options)));
  expect((await lines()).map(({ message }) => message)).toEqual(texts);
  expect((await lines())[0]).toMatchObject({
    jobId: '7',
    runId: '7',
    componentId: 'generic-extractor',
    configurationId: 'shop',
    type: 'info',
    created: '1970-01-01T00:00:01.000Z',
  });
});

test('a job that is taken over by a process whose clock is behind goes on with its log at the end', async () => {
  await (await open(5000)).write('info', 'first', options);
  const log = await open(1000);
  await log.write('info', 'second', options);
  await log.write('error', 'third', options);
  expect((await lines()).map(({ message }) => message)).toEqual(['first', 'second', 'third']);
});

test('D8: a line that is too long is cut between two characters', async () => {
  const log = await open(0);
  await log.write('info', 'ä'.repeat(limits.jobEventBytes), options);
  const [line] = await lines();
  expect(Buffer.byteLength(line?.message ?? '')).toBeLessThanOrEqual(limits.jobEventBytes);
  expect(line?.message).toMatch(/^ä+…$/);
});

test('D8: past its bytes a log says that no more is kept, and another process keeps to it', async () => {
  const log = await open(0);
  const line = 'x'.repeat(limits.jobEventBytes);
  for (let bytes = 0; bytes < 2 * limits.jobLogBytes; bytes += line.length) await log.write('info', line, options);
  const kept = await lines();
  expect(kept.reduce((sum, { message }) => sum + message.length, 0)).toBeLessThanOrEqual(limits.jobLogBytes + 200);
  expect(kept.at(-1)).toMatchObject({
    type: 'warn',
    message: 'The log of a job has at most 10000 lines and 4 MiB; what follows is not kept.',
  });
  await (await open(0)).write('info', 'more', options);
  expect(await lines()).toHaveLength(kept.length);
});

test('D8: a log has so many lines', async () => {
  const log = await open(0);
  await Promise.all(Array.from({ length: limits.jobEvents + 5 }, () => log.write('info', 'x', options)));
  const kept = await lines();
  expect(kept).toHaveLength(limits.jobEvents);
  expect(kept.slice(-2).map(({ type }) => type)).toEqual(['info', 'warn']);
});
