import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { contentOf, csvOf } from '../../../test/contract/staged-csv.ts';
import { waiting } from '../../../test/contract/store-on-test.ts';
import { isLong } from '../../../test/support/long-tests.ts';
import { withMethod } from '../../../test/support/with-method.ts';
import { progressOf } from '../../../test/support/progress-of.ts';
import { parseTopology } from '../../config/topology/parse-topology.ts';
import { parseIncarnation } from '../../core/ids.ts';
import { parseInstallationId } from '../../core/installation-id.ts';
import { entryOf } from '../../core/progress/sink-progress.ts';
import { parseTableId } from '../../core/table-id.ts';
import { putDocument } from '../../documents/change-document.ts';
import { progressId } from '../../documents/document-id.ts';
import { installationDocuments } from '../../documents/installation-document.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import type { EventLog } from '../../ports/event-log.ts';
import { stagingMark } from '../../stages/claims/staging-mark.ts';
import { requireHere } from '../../stages/claims/require-here.ts';
import { dataFolder, occupyDataFolder, prepareDataFolder } from '../embedded/data-folder.ts';
import { openProcess, type OneProcess, type WholeCluster } from './both-sides.ts';
import { migrateBetween } from './migrate.ts';
import { readMove } from './move-record.ts';
import { recordsOf } from './topic-records.ts';

const source = 'source.1.shop';
const sink = 'sink.1.shop.orders.1';
const orders = parseTableId('in.c-shop.orders');
const tables = { memoryBytes: 128 * 1024 ** 2, threads: 1 };

let folder: string;
let stack: AsyncDisposableStack;
let process: OneProcess;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-migrate-'));
  stack = new AsyncDisposableStack();
  process = await open('process');
  await fill();
});

afterEach(async () => {
  await stack.disposeAsync();
  await rm(folder, { recursive: true, force: true });
});

async function open(name: string, held = stack): Promise<OneProcess> {
  const dataDir = join(folder, name);
  prepareDataFolder(dataFolder(dataDir));
  occupyDataFolder(dataFolder(dataDir));
  return openProcess({ dataDir, tables }, held);
}

/** A little of everything. */
async function fill(): Promise<void> {
  const { catalog, sourceLog, sinkLog, objects } = process;
  const identities: string[] = [];
  for (const [log, name] of [
    [sourceLog, source],
    [sinkLog, sink],
  ] as const) {
    const { identity } = await log.createTopic({ name, partitions: 1 }, waiting);
    identities.push(identity);
    for (let number = 0; number < 40; number += 1) {
      const record = { value: Buffer.from(`${name} ${number}`), headers: ['n', `${number}`], timestamp: Date.now() };
      await log.append({ topic: name, partition: 0 }, [record], waiting);
    }
    await log.trim({ topic: name, partition: 0, identity }, 10, waiting);
  }
  const [sourceIdentity = '', sinkIdentity = ''] = identities;
  const begun = progressOf(0);
  const { incarnation } = begun;
  const topics = { source, sourceIdentity, sink, sinkIdentity };
  const entries = { 0: { ...entryOf(begun, 0), sink: 20, source: 19 } };
  const value = { ...begun, topics, entries };
  await putDocument(catalog, { kind: progressDocuments, id: progressId(incarnation), value }, waiting);
  const installation = { id: parseInstallationId(randomUUID()), claimed: [] };
  await putDocument(catalog, { kind: installationDocuments, id: 'installation', value: installation }, waiting);
  for (const id of ['a', 'b'])
    await catalog.compareAndSet({ collection: 'token', id, expected: undefined, value: { id } }, waiting);
  for (const name of ['1/0/1-x.rows.csv', 'files/1/2-x'])
    await objects.put(name, { kind: 'bytes', bytes: Buffer.from(name) }, waiting);
  await process.tables.createTable(orders, ['id'], waiting);
  await process.tables.createLedger(incarnation, waiting);
  const rows = [contentOf(csvOf([['1'], ['2'], ['3']]))];
  const counts = { expected: { rows: 3, dead: 0 }, before: { rows: 0, dead: 0 } };
  const request = { incarnation, number: 1, id: 'one', tableId: orders, columns: ['id'], rows, dead: [], ...counts };
  await process.tables.import(request, waiting);
}

const topology = parseTopology(
  JSON.stringify({
    kind: 'cluster',
    log: { kind: 'kafka', brokers: ['127.0.0.1:9092'] },
    staging: { kind: 's3', bucket: 'staging' },
    catalog: { kind: 'postgres', url: { env: 'URL' } },
    tables: { kind: 'postgres', url: { env: 'URL' } },
  }),
  { path: 'test', environment: { URL: 'postgres://u:p@127.0.0.1:1/db' } },
);

/** Stores of the same kind stand in for servers. */
function migrate(from: OneProcess, to: WholeCluster, { anew = false, dryRun = false } = {}) {
  if (topology.kind !== 'cluster') throw new Error('it is a cluster');
  const config = { encryptionKeys: [] };
  return migrateBetween(from, to, { config, topology, dryRun, anew, onProgress: () => undefined, ...waiting });
}

class Killed extends Error {}

/** Everything from the `at`th call on fails, as for a process that is gone; that one may have happened. */
class Life {
  calls = 0;
  readonly #at: number;

  constructor(at: number) {
    this.#at = at;
  }

  around<Store extends object>(store: Store): Store {
    return new Proxy(store, {
      get: (target, name) => {
        const found: unknown = Reflect.get(target, name, target);
        if (typeof found !== 'function') return found;
        return (...args: readonly unknown[]): unknown => {
          this.calls += 1;
          if (this.calls < this.#at) return Reflect.apply(found, target, args);
          const isStream = name === 'list' && 'put' in target;
          if (isStream) throw new Killed();
          if (this.calls !== this.#at || this.#at % 2 === 1) return Promise.reject(new Killed());
          return Promise.resolve(Reflect.apply(found, target, args)).then(() => {
            throw new Killed();
          });
        };
      },
    });
  }

  both(from: OneProcess, to: WholeCluster): readonly [OneProcess, WholeCluster] {
    const { catalog, sourceLog, sinkLog, objects, tables: store } = to;
    return [
      { ...from, catalog: this.around(from.catalog) },
      {
        catalog: this.around(catalog),
        sourceLog: this.around(sourceLog),
        sinkLog: this.around(sinkLog),
        objects: this.around(objects),
        tables: this.around(store),
      },
    ];
  }
}

/** Two logs of a process are one Kafka in a cluster. */
async function openTarget(name: string): Promise<WholeCluster & AsyncDisposable> {
  const held = new AsyncDisposableStack();
  const { catalog, sourceLog, objects, tables: store } = await open(name, held);
  return {
    catalog,
    sourceLog,
    sinkLog: sourceLog,
    objects,
    tables: store,
    [Symbol.asyncDispose]: () => held.disposeAsync(),
  };
}

async function contentsOf(log: EventLog, topic: string, first: number): Promise<readonly string[]> {
  const identity = (await log.describeTopic(topic, waiting))?.identity ?? '';
  const { durableEnd: end, ...range } = await log.range({ topic, partition: 0 }, waiting);
  expect(range.first).toBe(first);
  const found: string[] = [];
  for await (const records of recordsOf(log, { at: { topic, partition: 0, identity }, first, end }, waiting))
    for (const { offset, value, headers } of records)
      found.push(`${offset} ${Buffer.from(value).toString()} ${headers.join(' ')}`);
  return found;
}

const rowsOf = async (store: Pick<WholeCluster, 'tables'>) =>
  text(await store.tables.exportTable(orders, 'csv', waiting));

async function expectMoved(to: WholeCluster): Promise<void> {
  await requireHere(to.catalog, waiting);
  await expect(requireHere(process.catalog, waiting)).rejects.toMatchObject({ code: 'migration.done' });
  const numbers = Array.from({ length: 30 }, (_, at) => at + 10);
  expect(await contentsOf(to.sourceLog, source, 10)).toEqual(numbers.map((n) => `${n} ${source} ${n} n ${n}`));
  expect(await contentsOf(to.sinkLog, sink, 0)).toEqual(numbers.map((n) => `${n - 10} ${sink} ${n} n ${n}`));
  expect(await rowsOf(to)).toBe(await rowsOf(process));
  expect(await to.tables.readLedgerContents(waiting)).toEqual(await process.tables.readLedgerContents(waiting));
  const names: string[] = [];
  for await (const { name } of to.objects.list('', waiting)) names.push(name);
  expect(names.sort()).toEqual(['1/0/1-x.rows.csv', 'files/1/2-x', 'millrace-installation.json']);
  const progress = progressDocuments.parse(
    (await to.catalog.get('progress', progressId(parseIncarnation(1)), waiting))?.value,
  );
  expect(progress.entries[0]).toMatchObject({ sink: 10, source: 19 });
  expect(progress.topics).toEqual({
    source,
    sourceIdentity: (await to.sourceLog.describeTopic(source, waiting))?.identity,
    sink,
    sinkIdentity: (await to.sinkLog.describeTopic(sink, waiting))?.identity,
  });
  expect(await to.catalog.count('token', '', waiting)).toBe(2);
  expect((await to.catalog.list({ collection: 'meta', prefix: '' }, waiting)).map(({ id }) => id)).toEqual([
    'installation',
    'migration',
  ]);
}

describe('a move', () => {
  it('M3: that is killed at any call goes on, and ends with everything there once', async () => {
    const whole = new Life(Number.POSITIVE_INFINITY);
    {
      await using target = await openTarget('whole');
      await migrate(...whole.both(process, target));
    }
    const mark = await process.catalog.get('meta', 'migration', waiting);
    const beginAnew = () => process.catalog.remove('meta', 'migration', mark?.revision ?? 0, waiting);
    expect(whole.calls).toBeGreaterThan(100);
    const stride = isLong ? 1 : Math.ceil(whole.calls / 14);
    const first = 1 + Math.floor(Math.random() * stride);
    const strided = Array.from({ length: Math.ceil(whole.calls / stride) }, (_, step) => first + step * stride);
    // Of the last three the first is right behind the point of no return.
    const points = new Set([...strided, whole.calls - 2, whole.calls - 1, whole.calls]);
    await beginAnew();
    for (const at of points) {
      if (at > whole.calls) continue;
      await using to = await openTarget(`cut-${at}`);
      await expect(migrate(...new Life(at).both(process, to)), `killed at call ${at}`).rejects.toThrow(Killed);
      const isLeft = (await readMove(process.catalog, waiting))?.state === 'done';
      const ended = await migrate(process, to, { anew: at % 4 === 0 });
      expect({ at, state: ended.state }).toEqual({ at, state: isLeft ? 'moved before' : 'moved' });
      await expectMoved(to);
      const found = await process.catalog.get('meta', 'migration', waiting);
      await process.catalog.remove('meta', 'migration', found?.revision ?? 0, waiting);
    }
  });

  it('M3: goes on with what it has copied and noted, and copies nothing twice', async () => {
    await using to = await openTarget('to');
    const withoutObjects = withMethod(to.objects, 'put', (name, ...given) =>
      name === stagingMark ? to.objects.put(name, ...given) : Promise.reject(new Killed()),
    );
    await expect(migrate(process, { ...to, objects: withoutObjects })).rejects.toThrow(Killed);
    const before = await to.sourceLog.describeTopic(source, waiting);
    await migrate(process, to);
    expect(await to.sourceLog.describeTopic(source, waiting)).toEqual(before);
    await expectMoved(to);
  });

  it('M3: copies again what it had noted and is not there any more, and with "anew" everything', async () => {
    await using to = await openTarget('to');
    const withoutObjects = withMethod(to.objects, 'put', (name, ...given) =>
      name === stagingMark ? to.objects.put(name, ...given) : Promise.reject(new Killed()),
    );
    const begin = () => expect(migrate(process, { ...to, objects: withoutObjects })).rejects.toThrow(Killed);
    await begin();
    const noted = (await readMove(to.catalog, waiting))?.topics?.[source] ?? '';
    await to.sourceLog.append(
      { topic: source, partition: 0 },
      [{ value: Buffer.from('x'), headers: [], timestamp: 1 }],
      waiting,
    );
    await begin();
    const again = (await readMove(to.catalog, waiting))?.topics?.[source];
    expect(again).not.toBe(noted);
    const left = { topic: sink, partition: 0 };
    await to.sinkLog.deleteTopic(left.topic, waiting);
    await to.tables.createTable(parseTableId('in.c-left.over'), ['a'], waiting);
    expect(await migrate(process, to, { anew: true, dryRun: true })).toMatchObject({ state: 'planned' });
    expect(await to.tables.describeTable(parseTableId('in.c-left.over'), waiting)).toBeDefined();
    await migrate(process, to, { anew: true });
    expect(await to.tables.describeTable(parseTableId('in.c-left.over'), waiting)).toBeUndefined();
    await expectMoved(to);
  });

  it('M5: a dry run changes nothing, also where the cluster is only still to be told', async () => {
    await using to = await openTarget('to');
    expect(await migrate(process, to, { dryRun: true })).toMatchObject({ state: 'planned', tables: 1, rows: 3 });
    expect(await readMove(process.catalog, waiting)).toBeUndefined();
    expect(await to.catalog.list({ collection: 'meta', prefix: '' }, waiting)).toEqual([]);
    const untold = withMethod(to.tables, 'deleteLedger', () => Promise.reject(new Killed()));
    await expect(migrate(process, { ...to, tables: untold })).rejects.toThrow(Killed);
    expect(await migrate(process, to, { dryRun: true })).toMatchObject({ state: 'untold' });
    await expect(requireHere(to.catalog, waiting)).rejects.toMatchObject({ code: 'migration.unfinished' });
    expect(await migrate(process, to)).toMatchObject({ state: 'moved before' });
    expect(await migrate(process, to, { dryRun: true })).toMatchObject({ state: 'moved before' });
    await expectMoved(to);
  });

  it('M5: a cluster that is not empty is refused before the data folder is read', async () => {
    await using to = await openTarget('to');
    await to.sourceLog.createTopic({ name: source, partitions: 1 }, waiting);
    let reads = 0;
    const sourceLog = withMethod(process.sourceLog, 'read', (...given) => {
      reads += 1;
      return process.sourceLog.read(...given);
    });
    for (const asked of [{ dryRun: true }, { anew: true }, {}])
      await expect(migrate({ ...process, sourceLog }, to, asked)).rejects.toMatchObject({ code: 'migration.refused' });
    expect(reads).toBe(0);
    expect(await readMove(process.catalog, waiting)).toBeUndefined();
  });

  it('M4: does not leave the data folder when another move has taken its place in the cluster', async () => {
    await using to = await openTarget('to');
    // A copy of the folder, by whom the move is begun anew as soon as this one has copied its tables.
    const taken = withMethod(to.tables, 'adoptLedger', async (...given) => {
      const found = await to.catalog.get('meta', 'migration', waiting);
      const write = { collection: 'meta', id: 'migration', expected: found?.revision } as const;
      await to.catalog.compareAndSet({ ...write, value: { ...(found?.value as object), id: 'another' } }, waiting);
      await to.tables.adoptLedger(...given);
    });
    await expect(migrate(process, { ...to, tables: taken })).rejects.toMatchObject({ code: 'migration.failed' });
    await requireHere(process.catalog, waiting);
  });
});
