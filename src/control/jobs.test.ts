import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { createdJob } from '../../test/support/any-job.ts';
import { PlayingWorker } from '../../test/support/playing-worker.ts';
import { eventually } from '../../test/support/eventually.ts';
import { abortable } from '../core/abortable.ts';
import type { Clock } from '../core/clock.ts';
import { systemClock } from '../runtime/system-clock.ts';
import { limits } from '../core/limits.ts';
import { counterDocuments } from '../documents/counter-document.ts';
import { putDocument, removeDocument } from '../documents/change-document.ts';
import { jobDocumentId } from '../documents/document-id.ts';
import { makeJob } from '../documents/make-job.ts';
import { forgetUnmadeJobs, lastJobNumber } from './operations/forget-unmade-jobs.ts';
import { removeOldJobs } from './operations/remove-old-jobs.ts';

const options = { signal: new AbortController().signal };

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
});

afterEach(() => harness[Symbol.asyncDispose]());

async function create(): Promise<string> {
  const body = { component: 'generic-extractor', configData: { parameters: {} } };
  return (await harness.api.call<{ id: string }>('POST', '/jobs', body)).id;
}

async function ids(): Promise<readonly string[]> {
  return (await harness.api.call<{ id: string }[]>('GET', '/jobs')).map(({ id }) => id);
}

const loadOf = (id: string) => harness.dependencies.loads.readLoad(`job/${id}`, options);
const eventsLeft = () => harness.dependencies.catalog.count('job-event', '', options);

test('J1: after a restore from an older copy a number whose tables were loaded is passed over', async () => {
  const { catalog, loads } = harness.dependencies;
  const first = await create();
  await harness.tableStore.load(`job/${first}`, { tables: [], note: 'the old job' }, options);
  const second = await create();
  await loads.abandonLoad(`job/${second}`, options);
  for (const id of [first, second])
    await removeDocument(catalog, { collection: 'job', id: jobDocumentId(id) }, options);
  await putDocument(catalog, { kind: counterDocuments, id: 'job', value: { last: 0, taker: 'a restore' } }, options);
  const made = await create();
  expect(made).toBe('3');
  expect(await loadOf(made)).toMatchObject({ verdict: 'open' });
});

test('J1: a job whose making gets no answer is made once, or not at all', async () => {
  const { catalog, loads } = harness.dependencies;
  const { request, created } = createdJob('1', { configurationData: '{}' });
  const unclear = {
    ...loads,
    openLoad: async (id: string, waiting: typeof options): Promise<void> => {
      await loads.openLoad(id, waiting);
      throw new Error('lost');
    },
  };
  await expect(makeJob({ catalog, loads: unclear }, { request, created, taker: 'a' }, options)).rejects.toThrow('lost');
  expect(await ids()).toEqual([]);
  expect(await create()).toBe('2');
});

test('J9: a job that was kept long enough goes with its log and its ledger row', async () => {
  const worker = new PlayingWorker(harness);
  const [old, young, open] = [await create(), await create(), await create()];
  const now = Date.now();
  for (const id of [old, young, open]) await worker.say(id, 'info', ...Array.from({ length: 120 }, () => 'a line'));
  const at = (ms: number): string => new Date(ms).toISOString();
  const running = await worker.take(old);
  await worker.reach(running, { pages: 1, rows: 1, bytes: 1 }, at(now));
  await worker.end(running, { at: at(now + 1000) });
  await worker.end(await worker.take(young), { at: at(now + 120_000) });
  expect(await eventsLeft()).toBe(360);
  const trusted = { ...options, isClockTrusted: true };
  const clock = { ...systemClock, now: () => now + limits.jobAgeMs + 60_000 };
  await removeOldJobs({ ...harness.dependencies, clock }, trusted);
  expect(await ids()).toEqual([open, young]);
  expect(await eventsLeft()).toBe(240);
  expect(await harness.dependencies.catalog.count('job-progress', '', options)).toBe(0);
  expect([await loadOf(old), await loadOf(young)]).toEqual([undefined, { verdict: 'open', note: '' }]);
  await removeOldJobs({ ...harness.dependencies, clock }, trusted);
  expect(await ids()).toEqual([open, young]);
});

test('J14: none is removed for its age while the clock has just jumped', async () => {
  let [off, rounds, next] = [0, 0, Promise.withResolvers<void>()];
  const clock: Clock = {
    ...systemClock,
    now: () => systemClock.now() + off,
    sleep: async (ms, { signal }) => {
      if (ms !== 2 * limits.taskTimeoutMs) return systemClock.sleep(ms, { signal });
      rounds += 1;
      await abortable(next.promise, signal);
    },
  };
  await using jumping = await startAdmin((given) => ({ ...given, clock }));
  const worker = new PlayingWorker(jumping);
  const { id } = await jumping.api.call<{ id: string }>('POST', '/jobs', {
    component: 'generic-extractor',
    configData: { parameters: {} },
  });
  await worker.end(await worker.take(id));
  off = 2 * limits.jobAgeMs;
  const before = rounds;
  next.resolve();
  next = Promise.withResolvers<void>();
  await eventually(() => expect(rounds).toBeGreaterThan(before));
  expect(await jumping.api.call('GET', `/jobs/${id}`)).toMatchObject({ status: 'success' });
});

test('J9: a ledger row whose job was never made goes', async () => {
  const { catalog } = harness.dependencies;
  const [first, lost, last] = [await create(), await create(), await create()];
  await removeDocument(catalog, { collection: 'job', id: jobDocumentId(lost) }, options);
  const upTo = await lastJobNumber(harness.dependencies, options);
  expect(upTo).toBe(Number(last));
  await forgetUnmadeJobs(harness.dependencies, { ...options, upTo });
  expect(await loadOf(lost)).toBeUndefined();
  for (const id of [first, last]) expect(await loadOf(id)).toMatchObject({ verdict: 'open' });
});

test('J9: a number that was handed out since the round before is left alone', async () => {
  const { catalog } = harness.dependencies;
  const before = await create();
  const upTo = await lastJobNumber(harness.dependencies, options);
  const young = await create();
  for (const id of [before, young])
    await removeDocument(catalog, { collection: 'job', id: jobDocumentId(id) }, options);
  await forgetUnmadeJobs(harness.dependencies, { ...options, upTo });
  expect([await loadOf(before), await loadOf(young)]).toEqual([undefined, { verdict: 'open', note: '' }]);
});

test('who asks for a job and who ends it stands in the audit trail', async () => {
  const id = await create();
  await harness.api.call('POST', `/jobs/${id}/kill`);
  const trail = async (): Promise<readonly unknown[]> =>
    (await harness.api.call<{ entries: unknown[] }>('GET', '/v1/branches/default/audit')).entries;
  await expect.poll(trail).toMatchObject([
    {
      operation: 'killJob',
      object: { kind: 'job', jobId: id },
      outcome: 'success',
      before: { status: 'processing' },
      after: { status: 'cancelled' },
    },
    { operation: 'createJob', object: { kind: 'job', jobId: id }, outcome: 'success' },
  ]);
});
