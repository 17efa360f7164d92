import { afterEach, beforeEach, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../../test/support/admin-harness.ts';
import { withMethod } from '../../../test/support/with-method.ts';
import type { BranchId, SourceId } from '../../core/ids.ts';
import { taskDocuments } from '../../documents/task-document.ts';
import { sourceClaims } from './claims.ts';
import { TaskRunner } from './task-runner.ts';

const signal = new AbortController().signal;
const key = { branchId: 1 as BranchId, sourceId: 'shop' as SourceId };

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
});

afterEach(() => harness[Symbol.asyncDispose]());

test.each([
  ['success', () => Promise.resolve('done')],
  ['error', () => Promise.reject(new Error('no'))],
] as const)('an object is free before its task is seen to have ended in %s', async (status, run) => {
  const seen = Promise.withResolvers<string>();
  const { clock, random, telemetry } = harness.dependencies;
  const alone = (): Promise<string> => tasks.alone({ claims: sourceClaims(key) }, async () => 'free');
  const { catalog: kept } = harness.dependencies;
  const catalog = withMethod(kept, 'compareAndSet', async (write, options) => {
    const isEnd = write.collection === 'task' && taskDocuments.parse(write.value).status === status;
    if (isEnd) await alone().then(seen.resolve, seen.reject);
    return kept.compareAndSet(write, options);
  });
  const seat = { assertHeld: async () => undefined };
  const tasks = new TaskRunner({ catalog, seat, clock, random, telemetry, owner: 'test' });
  const change = { begin: async () => undefined, look: async () => undefined };
  const spec = { operation: 'update', object: 'source', subject: key, change, run, outputs: {} } as const;
  await tasks.start({ ...spec, claims: sourceClaims(key) }, { signal });
  expect(await seen.promise).toBe('free');
  await tasks.drain();
});
