import { afterEach, beforeEach, expect, it } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../core/ids.ts';
import { sinkTopic } from '../core/topic-name.ts';

const never = { signal: new AbortController().signal };
const key = { branchId: defaultBranch, sourceId: parseSourceId('theirs'), sinkId: parseSinkId('orders') };

let harness: AdminHarness;

beforeEach(async () => {
  harness = await startAdmin();
});

afterEach(async () => {
  await harness[Symbol.asyncDispose]();
});

/** The topic and the ledger row of an incarnation, as a sink has them that is being made. */
async function leave(incarnation: number): Promise<void> {
  const { sinkLog, tables } = harness.dependencies;
  await sinkLog.createTopic({ name: sinkTopic(key, parseIncarnation(incarnation)), partitions: 1 }, never);
  await tables.createLedger(parseIncarnation(incarnation), never);
}

async function found(incarnation: number): Promise<readonly boolean[]> {
  const { sinkLog, tables } = harness.dependencies;
  const parts = [
    await sinkLog.describeTopic(sinkTopic(key, parseIncarnation(incarnation)), never),
    await tables.readLedger(parseIncarnation(incarnation), never),
  ];
  return parts.map((part) => part !== undefined);
}

it('D2: a start removes what it left half made, and nothing of incarnations that the catalog never handed out', async () => {
  const { catalog } = harness.dependencies;
  await catalog.compareAndSet(
    { collection: 'meta', id: 'incarnation', expected: undefined, value: { last: 7, taker: 'before' } },
    never,
  );
  await leave(7);
  await leave(8);
  await harness.restart();
  expect(await found(7)).toEqual([false, false]);
  expect(await found(8)).toEqual([true, true]);
});
