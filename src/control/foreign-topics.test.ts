import { afterEach, beforeEach, expect, it } from 'vitest';
import { startAdmin, type AdminHarness } from '../../test/support/admin-harness.ts';
import { replaced } from '../../test/support/faults/replaced.ts';
import { handOutUpTo } from '../../test/support/hand-out.ts';
import { ownAllBut } from '../../test/support/own-everything.ts';
import { defaultBranch, parseIncarnation, parseSinkId, parseSourceId } from '../core/ids.ts';
import { MillraceError } from '../core/millrace-error.ts';
import { parseTableId } from '../core/table-id.ts';
import { sinkTopic, sourceTopic } from '../core/topic-name.ts';
import type { ClaimedStore } from '../ports/claimable.ts';
import { dropEmptyTable } from './operations/ensure-table.ts';

const never = { signal: new AbortController().signal };
const key = { branchId: defaultBranch, sourceId: parseSourceId('theirs'), sinkId: parseSinkId('orders') };
const sources = '/v1/branches/default/sources';

let harness: AdminHarness;
/** Stores that have the mark of another installation. */
let foreign: Set<ClaimedStore>;
/** Why no ledger row can be made; undefined when it can. */
let failing: MillraceError | undefined;

beforeEach(async () => {
  [foreign, failing] = [new Set(), undefined];
  harness = await startAdmin((dependencies) => ({
    ...dependencies,
    ownership: ownAllBut(foreign),
    ledger: replaced(dependencies.ledger, {
      createLedger: (...given) => (failing ? Promise.reject(failing) : dependencies.ledger.createLedger(...given)),
    }),
  }));
});

afterEach(async () => {
  await harness[Symbol.asyncDispose]();
});

/** The topic and the ledger row of an incarnation, as a sink has them that is being made. */
async function leave(incarnation: number): Promise<void> {
  const { sinkLog, ledger } = harness.dependencies;
  await sinkLog.createTopic({ name: sinkTopic(key, parseIncarnation(incarnation)), partitions: 1 }, never);
  await ledger.createLedger(parseIncarnation(incarnation), never);
}

async function found(incarnation: number): Promise<readonly boolean[]> {
  const { sinkLog, ledger } = harness.dependencies;
  const parts = [
    await sinkLog.describeTopic(sinkTopic(key, parseIncarnation(incarnation)), never),
    await ledger.readLedger(parseIncarnation(incarnation), never),
  ];
  return parts.map((part) => part !== undefined);
}

it('D2: a start removes what it left half made, and nothing of incarnations that the catalog never handed out', async () => {
  await handOutUpTo(harness.dependencies.catalog, 7);
  await leave(7);
  await leave(8);
  await harness.restart();
  expect(await found(7)).toEqual([false, false]);
  expect(await found(8)).toEqual([true, true]);
});

it.each(['sink-log', 'tables'] as const)(
  'D2: a start removes nothing half made while the %s has the mark of another installation',
  async (store) => {
    await handOutUpTo(harness.dependencies.catalog, 7);
    await leave(7);
    foreign.add(store);
    await harness.restart();
    expect(await found(7)).toEqual([true, true]);
    foreign.clear();
    await harness.restart();
    expect(await found(7)).toEqual([false, false]);
  },
);

it('D2: of empty source topics that nobody names, a start removes those with a number that the catalog handed out', async () => {
  const { sourceLog } = harness.dependencies;
  const [own, later] = [sourceTopic(key, 7), sourceTopic(key, 8)];
  await handOutUpTo(harness.dependencies.catalog, 7);
  for (const name of [own, later]) await sourceLog.createTopic({ name, partitions: 1 }, never);
  foreign.add('source-log');
  await harness.restart();
  expect(await sourceLog.listTopics('source.', never)).toEqual([own, later]);
  foreign.clear();
  await harness.restart();
  expect(await sourceLog.listTopics('source.', never)).toEqual([later]);
});

const sinkBody = (name: string, tableId = `in.c-shop.${name}`): object => ({
  name,
  table: { tableId, mapping: { columns: [{ type: 'uuid', name: 'id' }] } },
});

it('D2: deleting a source for good drops no table of a store that has the mark of another installation', async () => {
  await harness.api.task('POST', sources, { type: 'http', name: 'shop', sourceId: 'shop', sinks: [sinkBody('a')] });
  foreign.add('tables');
  await expect(harness.api.task('DELETE', `${sources}/shop?cascade=true`)).rejects.toThrow(/in\.c-shop\.a.*another's/);
  const tables = await harness.dependencies.tables.listTables(never);
  expect(tables.map(({ tableId }) => tableId)).toEqual(['in.c-shop.a']);
});

it.each(['sink-log', 'tables'] as const)(
  'D2: what a failed creation made is taken back once the %s is known to be of this installation',
  async (store) => {
    const { sinkLog } = harness.dependencies;
    const topics = (): Promise<readonly string[]> => sinkLog.listTopics('sink.', never);
    await harness.api.task('POST', sources, { type: 'http', name: 'shop', sourceId: 'shop', sinks: [] });
    foreign.add(store);
    failing = new MillraceError('table.unavailable', 'away');
    await expect(harness.api.task('POST', `${sources}/shop/sinks`, sinkBody('a'))).rejects.toThrow('does not answer');
    expect(await topics()).toHaveLength(1);
    foreign.clear();
    await expect.poll(topics).toEqual([]);
  },
);

it('D2: an empty table that a failed operation made stays while the tables are not known to be of this installation', async () => {
  const { tables } = harness.dependencies;
  const tableId = parseTableId('in.c-shop.a');
  const seat = { assertHeld: (): Promise<void> => Promise.resolve() };
  await tables.createTable(tableId, ['id'], never);
  foreign.add('tables');
  const drop = (): Promise<void> => dropEmptyTable({ tables, seat, ownership: ownAllBut(foreign) }, tableId, never);
  await expect(drop()).rejects.toMatchObject({ code: 'installation.foreign' });
  expect(await tables.describeTable(tableId, never)).toMatchObject({ tableId });
  foreign.clear();
  await drop();
  expect(await tables.describeTable(tableId, never)).toBeUndefined();
});
