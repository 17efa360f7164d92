import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { FakeClock } from '../../../test/support/fake-clock.ts';
import { PlayingWorker } from '../../../test/support/playing-worker.ts';
import { SeenWorkers, type RunsJobs } from '../../core/workforce.ts';
import { removeDocument } from '../../documents/change-document.ts';
import { jobDocumentId } from '../../documents/document-id.ts';
import { WorkerPresence } from '../work/worker-presence.ts';
import { WaitingJobs } from './waiting-jobs.ts';

const waiting = { signal: new AbortController().signal };
let harness: AdminHarness;
let clock: FakeClock;

beforeEach(async () => {
  clock = new FakeClock(Date.now() + 60_000);
  harness = await startAdmin();
});

afterEach(() => harness[Symbol.asyncDispose]());

async function create(more: object = {}): Promise<string> {
  const body = { component: 'generic-extractor', configData: { parameters: {} }, ...more };
  return (await harness.api.call<{ id: string }>('POST', '/jobs', body)).id;
}

function measuring(runsJobs: RunsJobs): () => Promise<readonly (number | undefined)[]> {
  const { catalog, telemetry } = harness.dependencies;
  const jobs = new WaitingJobs({ catalog, clock, telemetry, runsJobs, workers: new SeenWorkers() });
  const names = ['millrace_unbegun_jobs', 'millrace_unbegun_job_oldest_seconds', 'millrace_work_processes'];
  return async () => {
    await jobs.measure(waiting);
    const found = await telemetry.metrics.registry.getMetricsAsJSON();
    return names.map((name) => found.find((one) => one.name === name)?.values[0]?.value);
  };
}

test('jobs that could begin and have not are counted, with how long the oldest has waited', async () => {
  const measured = measuring('others');
  expect(await measured()).toEqual([0, 0, 0]);
  const [first, second] = [await create(), await create()];
  await create({ delay: 3600 });
  const worker = new PlayingWorker(harness);
  const [count, oldest] = await measured();
  expect(count).toBe(2);
  expect(oldest).toBeGreaterThan(50);
  await worker.take(first);
  expect((await measured())[0]).toBe(1);
  clock.advance(3_600_000);
  expect((await measured())[0]).toBe(2);
  await removeDocument(harness.dependencies.catalog, { collection: 'job', id: jobDocumentId(second) }, waiting);
  expect((await measured())[0]).toBe(1);
});

test('processes that run jobs are counted as they say that they are there', async () => {
  const measured = measuring('others');
  for (const member of ['one', 'two']) {
    const presence = new WorkerPresence({ catalog: harness.dependencies.catalog, clock, member });
    presence.here(waiting);
    await presence.settled();
  }
  expect((await measured())[2]).toBe(2);
  clock.advance(120_000);
  expect((await measured())[2]).toBe(0);
});

test('a process that runs jobs itself is one, and where nobody does there is none', async () => {
  expect((await measuring('here')())[2]).toBe(1);
  expect((await measuring('nowhere')())[2]).toBe(0);
});
