import { afterAll, beforeAll, expect, test } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { change, importAll, stageAll } from '../../test/support/deliver.ts';
import { seal } from '../core/progress/seal.ts';
import { entryOf } from '../core/progress/sink-progress.ts';
import { SinkTokenRights } from './operations/sink-token-rights.ts';
import { Definitions } from './store/definitions.ts';
import { TokenStore } from './store/tokens.ts';
import { TaskRunner } from './tasks/task-runner.ts';

const S = '/v1/branches/default/sources';
const K = `${S}/shop/sinks/k`;
const signal = new AbortController().signal;

let harness: AdminHarness;
let rights: SinkTokenRights;
let incarnation: number;

beforeAll(async () => {
  harness = await startAdmin();
  const sinks = [{ name: 'k', table: { tableId: 'in.c-old.t', mapping: { columns: [{ type: 'uuid', name: 'id' }] } } }];
  await harness.api.task('POST', S, { type: 'http', name: 'shop', sinks });
  ({ incarnation } = await harness.api.call<{ incarnation: number }>('GET', `${K}/progress`));
  const { catalog, clock, random, telemetry, sourceLog, rootTokenHash, config } = harness.dependencies;
  const seat = { assertHeld: () => Promise.resolve() };
  const tasks = new TaskRunner({ catalog, seat, clock, random, telemetry, owner: 'test' });
  const tokens = new TokenStore({ catalog, random, projectId: config.projectId, rootTokenHash });
  rights = new SinkTokenRights({
    catalog,
    definitions: new Definitions(catalog),
    sourceLog,
    tasks,
    telemetry,
    tokens,
  });
});

afterAll(() => harness[Symbol.asyncDispose]());

async function buckets(): Promise<readonly string[]> {
  const tokens = await harness.api.call<readonly { bucketPermissions: object }[]>('GET', '/v2/storage/tokens');
  return Object.keys(tokens.find(({ bucketPermissions }) => 'in.c-new' in bucketPermissions)?.bucketPermissions ?? {});
}

async function send(): Promise<void> {
  const records = [{ value: Buffer.from('{}'), headers: [], timestamp: 1 }];
  await harness.dependencies.sourceLog.append({ topic: 'source.1.shop', partition: 0 }, records, { signal });
}

test('K4: the right on a bucket that a sink has left goes when nothing can wait for it any more', async () => {
  await send();
  await stageAll(harness.dependencies, incarnation);
  await send();
  await harness.api.task('PATCH', K, { table: { tableId: 'in.c-new.t' } });
  const fit = () => rights.fit({ signal });
  await fit();
  await fit();
  // A slice of the old table is staged, and an event that was accepted before may still become one.
  expect(await buckets()).toEqual(['in.c-old', 'in.c-new']);
  await importAll(harness.dependencies, incarnation);
  await fit();
  await fit();
  expect(await buckets()).toEqual(['in.c-old', 'in.c-new']);
  await stageAll(harness.dependencies, incarnation);
  await importAll(harness.dependencies, incarnation);
  await fit();
  expect(await buckets()).toEqual(['in.c-new']);
});

test('K4: it comes back with what a mapper makes that knew the old mapping for longer', async () => {
  await send();
  await change(harness.dependencies.catalog, incarnation, (progress) => {
    const base = entryOf(progress, 0);
    const counts = { rows: 1, dead: 0, filtered: 0, holes: 0, none: 0 };
    const at = { partition: 0, firstArrival: 1, lastArrival: 1, stagedAt: 1 };
    const rowsObject = { name: 'late', bytes: 10 };
    const slice = {
      ...at,
      ...counts,
      id: 'late',
      mappingVersion: 1,
      from: base.source,
      to: base.source + 1,
      rowsObject,
    };
    return seal(progress, {
      ...counts,
      partition: 0,
      base,
      sink: base.sink + 1,
      source: base.source + 1,
      slice,
      stamp: 1,
    });
  });
  await rights.fit({ signal });
  expect((await buckets()).toSorted()).toEqual(['in.c-new', 'in.c-old']);
});
