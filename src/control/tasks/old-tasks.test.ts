import { putRaw } from '../../../test/support/put-raw.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import type { BranchId, SourceId } from '../../core/ids.ts';
import { endOrphanedTasks, removeOldTasks } from './old-tasks.ts';
import { TaskRunner } from './task-runner.ts';

const hourMs = 3_600_000;
const signal = new AbortController().signal;

let harness: AdminHarness;

beforeAll(async () => {
  harness = await startAdmin();
});

afterAll(() => harness[Symbol.asyncDispose]());

/** A task that nobody runs, made so many milliseconds ago; answers its path. */
async function leave(name: string, ageMs: number): Promise<string> {
  const createdAt = new Date(Date.now() - ageMs).toISOString();
  const taskId = `api.create.source/1/${name}/x`;
  const subject = { branchId: 1 as BranchId, sourceId: name as SourceId };
  const value = { taskId, type: 'api.create.source', ...subject, createdAt, owner: 'test', status: 'processing' };
  await putRaw(harness.dependencies.catalog, { collection: 'task', id: taskId, value });
  return `/v1/tasks/${taskId}`;
}

test('A28: a task that nobody runs ends in error once it cannot be about to run', async () => {
  const { catalog, clock, random, telemetry } = harness.dependencies;
  const tasks = new TaskRunner({
    catalog,
    seat: { assertHeld: async () => undefined },
    clock,
    random,
    telemetry,
    owner: 'test',
  });
  const [old, young] = [await leave('old', hourMs), await leave('young', 0)];
  await endOrphanedTasks({ catalog, clock, tasks, telemetry }, { signal, olderThanMs: hourMs / 2 });
  expect(await harness.api.call('GET', old)).toMatchObject({ status: 'error', isFinished: true });
  expect(await harness.api.call('GET', young)).toMatchObject({ status: 'processing' });
  await endOrphanedTasks({ catalog, clock, tasks, telemetry }, { signal });
  expect(await harness.api.call('GET', young)).toMatchObject({ status: 'error' });
});

test('an unfinished task is kept two days', async () => {
  const { catalog, clock, random, telemetry } = harness.dependencies;
  const tasks = new TaskRunner({
    catalog,
    seat: { assertHeld: async () => undefined },
    clock,
    random,
    telemetry,
    owner: 'test',
  });
  const [kept, gone] = [await leave('kept', 47 * hourMs), await leave('gone', 49 * hourMs)];
  await removeOldTasks({ catalog, clock, tasks, telemetry }, { signal });
  expect(await harness.api.request('GET', kept)).toMatchObject({ status: 200 });
  expect(await harness.api.request('GET', gone)).toMatchObject({ status: 404 });
});
