import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import { putEnd, readEnd } from '../../src/adapters/lmdb/log/partition-meta.ts';
import { LogStore } from '../../src/adapters/lmdb/log/store.ts';
import { endsOf } from '../../src/core/progress/source-ends.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import { decodeOutcome, encodeOutcome } from '../../src/core/outcome.ts';
import { conserveAll, differencesOf, type Differences } from '../../src/core/accounts/conservation.ts';
import { compareWithLedger } from '../../src/core/accounts/ledger-witness.ts';
import { listOf, type NewRecord } from '../../src/ports/event-log.ts';
import { FakeClock } from '../support/fake-clock.ts';
import { DeliveryWorld, never, source, type WorldSink } from '../support/faults/delivery-world.ts';
import type { Ports } from '../support/faults/faults.ts';
import type { Role } from '../support/faults/member.ts';
import { replaced } from '../support/faults/replaced.ts';
import { progressOf } from '../support/progress-of.ts';

const agreed: Differences = { document: 0, ledgerRows: 0, ledgerDead: 0, log: 0 };

/** What the witnesses of a sink say, as the API tells it. */
async function differences(world: DeliveryWorld, sink: WorldSink): Promise<Differences> {
  const progress = await world.progress(sink);
  const compared = compareWithLedger(progress, await world.ports.tables.readLedger(sink.incarnation, never));
  const { durable, acknowledged } = endsOf(await world.ports.sourceLog.ranges(source, never));
  const ledger = compared.kind === 'compared' ? compared.difference : undefined;
  return differencesOf(conserveAll(progress, durable, acknowledged), ledger);
}

/** Five events, of which one becomes a dead letter, on ports that are broken so. */
async function delivered(
  broken: (ports: Ports) => Partial<Ports>,
  {
    roles,
    isDone,
  }: {
    readonly roles?: readonly Role[];
    readonly isDone?: (world: DeliveryWorld, sink: WorldSink) => Promise<boolean>;
  } = {},
): Promise<Differences> {
  await using world = await DeliveryWorld.open();
  const sink = await world.addSink();
  const member = world.member('one', { ports: broken(world.ports), ...(roles === undefined ? {} : { roles }) });
  await member.start();
  await world.produce(5, { brokenEvery: 5 });
  if (isDone === undefined) await world.delivered(sink);
  else await world.until(() => isDone(world, sink), 1000);
  return await differences(world, sink);
}

it('D4: the witnesses agree when nothing is broken', async () => {
  expect(await delivered(() => ({}))).toEqual(agreed);
});

it('D4: a mapper that passes over an event is seen by the log, which holds a record there', async () => {
  let passed = 0;
  const withoutFirst = (record: NewRecord): NewRecord => {
    const outcome = decodeOutcome(record.value);
    if (outcome.kind !== 'row' || (passed += 1) > 1) return record;
    const { from, to, mappingVersion } = outcome;
    return { ...record, value: encodeOutcome({ kind: 'none', from, to, mappingVersion }) };
  };
  const found = await delivered(({ sinkLog }) => ({
    sinkLog: replaced(sinkLog, {
      append: (at, records, options) =>
        sinkLog.append(at, at.topic.startsWith('sink.') ? listOf(records).map(withoutFirst) : records, options),
    }),
  }));
  expect(found).toEqual({ ...agreed, log: 1 });
});

it('D4: a stage that counts a row too few is seen by the positions', async () => {
  const isDone = async (world: DeliveryWorld, sink: WorldSink): Promise<boolean> =>
    (await world.progress(sink)).staged.length > 0;
  const broken = ({ catalog }: Ports): Partial<Ports> => ({
    catalog: replaced(catalog, {
      compareAndSet: (write, options) => {
        if (write.collection !== 'progress') return catalog.compareAndSet(write, options);
        const progress = progressDocuments.parse(write.value);
        const staged = progress.staged.map((slice) => ({ ...slice, rows: slice.rows - 1 }));
        return catalog.compareAndSet({ ...write, value: { ...progress, staged } }, options);
      },
    }),
  });
  expect(await delivered(broken, { roles: ['map', 'stage'], isDone })).toEqual({ ...agreed, document: 1 });
});

it('D4: an importer that loads a slice twice is seen by the ledger', async () => {
  const found = await delivered(({ tables }) => ({
    tables: replaced(tables, {
      import: (request, options) => {
        const { rows, dead } = request.expected;
        const expected = { rows: 2 * rows, dead };
        return tables.import({ ...request, rows: [...request.rows, ...request.rows], expected }, options);
      },
    }),
  }));
  expect(found).toEqual({ ...agreed, ledgerRows: -4 });
});

it('D4: an importer that does not load a slice is seen by the ledger', async () => {
  const found = await delivered(({ tables }) => ({
    tables: replaced(tables, {
      import: (request, options) =>
        tables.import({ ...request, rows: [], dead: [], expected: { rows: 0, dead: 0 } }, options),
    }),
  }));
  expect(found).toEqual({ ...agreed, ledgerRows: 4, ledgerDead: 1 });
});

it('D4: a log that lost a committed record is seen by its count of acknowledged ones', async () => {
  const path = await mkdtemp(join(tmpdir(), 'millrace-witness-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(path, { recursive: true }));
  const open = () => openLmdbEventLog({ path, instance: 'main', first: true, clock: new FakeClock() });
  const counted = async (): Promise<readonly number[]> => {
    await using log = await open();
    const { durable, acknowledged } = endsOf(await log.ranges(source, never));
    return conserveAll(progressOf(0), durable, acknowledged).map(({ logDifference = Number.NaN }) => logDifference);
  };
  {
    await using log = await open();
    await log.createTopic({ name: source, partitions: 1 }, never);
    const record = { value: Buffer.from('{}'), headers: [], timestamp: 1 };
    await log.append({ topic: source, partition: 0 }, [record, record], never);
    await log.append({ topic: source, partition: 0 }, [record], never);
  }
  expect(await counted()).toEqual([0]);
  const store = new LogStore(path);
  const at = { number: 1, partition: 0 };
  const end = readEnd(store, at);
  if (end === undefined) throw new Error('the topic has another number');
  await store.write(() => putEnd(store, at, { ...end, end: end.end - 1 }));
  await store.close();
  expect(await counted()).toEqual([1]);
});
