import { cp, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDuckDbTableStore } from '../../../src/adapters/duckdb/table-store.ts';
import { openFileSystemObjectStore } from '../../../src/adapters/filesystem/object-store.ts';
import { openLmdbCatalog } from '../../../src/adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../../src/adapters/lmdb/event-log.ts';
import { incarnationCounter } from '../../../src/documents/counter-document.ts';
import { mappingId, progressId } from '../../../src/documents/document-id.ts';
import { sinkStatusDocuments } from '../../../src/documents/sink-status-document.ts';
import { progressDocuments } from '../../../src/documents/progress-document.ts';
import {
  defaultBranch,
  parseIncarnation,
  parseSinkId,
  parseSourceId,
  type Incarnation,
  type SinkKey,
} from '../../../src/core/ids.ts';
import { isDelivered } from '../../../src/core/progress/flush.ts';
import { isOnlyLate } from '../../../src/core/sink-status.ts';
import { beginProgress, isRefused, type Refused, type SinkProgress } from '../../../src/core/progress/sink-progress.ts';
import { endsOf, type SourceEnds } from '../../../src/core/progress/source-ends.ts';
import { deadLetterTable, parseTableId, type TableId } from '../../../src/core/table-id.ts';
import { sinkTopic } from '../../../src/core/topic-name.ts';
import type { Catalog, Collection } from '../../../src/ports/catalog.ts';
import type { EventLog, NewRecord } from '../../../src/ports/event-log.ts';
import { FakeClock } from '../fake-clock.ts';
import type { Ports } from './faults.ts';
import { Member, type MemberOptions } from './member.ts';
import { addWorldSource, worldTopic } from './world-source.ts';

export const never = { signal: new AbortController().signal };

export interface WorldSink {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  readonly topic: string;
  readonly tableId: TableId;
}

/** A store of the world that can be copied and brought back as a whole. */
export type StoreFolder = 'catalog' | 'source-log' | 'sink-log';

export interface WorldOptions {
  readonly partitions?: number;
  /** Opens the log of sources, and that of sinks; absent: embedded ones on the world's folder. */
  readonly openLog?: (() => EventLog) | undefined;
  /** Stands between everybody and the catalog, as a process of another release that uses it, too. */
  readonly beside?: { readonly beside: (catalog: Catalog) => Catalog } | undefined;
}

const sourceId = parseSourceId('shop');
export const source = worldTopic;
const columns = [{ type: 'path', name: 'at', path: 'at', rawString: true }];

/**
 * The embedded stores on a temporary folder, a source, its sinks, and any number of members that map, stage and import
 * for them under a clock of the test. Every event carries its place, so that what a table holds can be counted.
 */
export class DeliveryWorld implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly folder: string;
  readonly partitions: number;
  readonly #members: Member[] = [];
  readonly #broken = new Set<string>();
  readonly #produced: number[];
  #stack = new AsyncDisposableStack();
  #ports: Ports | undefined;
  #sinks = 0;

  readonly #openLog: WorldOptions['openLog'];
  readonly #beside: WorldOptions['beside'];

  private constructor(folder: string, partitions: number, { openLog, beside }: WorldOptions) {
    this.folder = folder;
    this.#openLog = openLog;
    this.#beside = beside;
    this.partitions = partitions;
    this.#produced = Array.from({ length: partitions }, () => 0);
  }

  static async open({ partitions = 1, ...options }: WorldOptions = {}): Promise<DeliveryWorld> {
    const world = new DeliveryWorld(await mkdtemp(join(tmpdir(), 'millrace-faults-')), partitions, options);
    await world.#openStores();
    await world.ports.sourceLog.createTopic({ name: source, partitions }, never);
    await addWorldSource(world);
    return world;
  }

  get ports(): Ports {
    if (this.#ports === undefined) throw new Error('the stores are closed');
    return this.#ports;
  }

  /** A sink of the source that takes events from here on; `isRemade`: its table is there, from an incarnation before. */
  async addSink(
    sinkId = 'orders',
    options: { readonly starts?: number; readonly isRemade?: boolean } = {},
  ): Promise<WorldSink> {
    const { catalog, sourceLog, sinkLog, tables } = this.ports;
    const incarnation = parseIncarnation((this.#sinks += 1));
    await this.put('meta', incarnationCounter, { last: incarnation, taker: 'world' });
    const key = { branchId: defaultBranch, sourceId, sinkId: parseSinkId(sinkId) };
    const tableId = parseTableId(`in.c-shop.${sinkId}`);
    const topic = sinkTopic(key, incarnation);
    const made = await sinkLog.createTopic({ name: topic, partitions: this.partitions }, never);
    await this.put('mapping', mappingId(incarnation, 1), {
      incarnation,
      version: 1,
      tableId,
      columns,
      allowedSignals: [],
    });
    if (options.isRemade !== true) await tables.createTable(tableId, ['at'], never);
    await tables.createLedger(incarnation, never);
    const { identity } = (await sourceLog.describeTopic(source, never)) ?? { identity: '' };
    const ranges = await sourceLog.ranges(source, never);
    const starts = new Map(ranges.map(({ stableEnd }, partition) => [partition, options.starts ?? stableEnd]));
    const topics = { source, sourceIdentity: identity, sink: topic, sinkIdentity: made.identity };
    const value = beginProgress({ key, incarnation, topics, mappingVersion: 1, starts, at: 0 });
    await catalog.compareAndSet(
      { collection: 'progress', id: progressId(incarnation), expected: undefined, value },
      never,
    );
    return { key, incarnation, topic, tableId };
  }

  async put(collection: Collection, id: string, value: object): Promise<void> {
    const before = await this.ports.catalog.get(collection, id, never);
    await this.ports.catalog.compareAndSet({ collection, id, expected: before?.revision, value }, never);
  }

  /** Appends events; every `brokenEvery`-th is not JSON, and becomes a dead letter. */
  async produce(count: number, options: { readonly partition?: number; readonly brokenEvery?: number } = {}) {
    const { partition = 0, brokenEvery = Number.POSITIVE_INFINITY } = options;
    const first = this.#produced[partition] ?? 0;
    this.#produced[partition] = first + count;
    const records = Array.from({ length: count }, (_, index): NewRecord => {
      const at = `${partition}/${first + index}`;
      const isBroken = (index + 1) % brokenEvery === 0;
      if (isBroken) this.#broken.add(at);
      const value = Buffer.from(isBroken ? `broken ${at}` : JSON.stringify({ at }));
      return { value, headers: [], timestamp: this.clock.now() };
    });
    await this.ports.sourceLog.append({ topic: source, partition }, records, never);
  }

  /** A process with the roles of the product, on these stores, or on others in the place of some. */
  member(
    name: string,
    { ports, ...options }: Omit<MemberOptions, 'name' | 'clock' | 'ports' | 'folder'> & { ports?: Partial<Ports> } = {},
  ): Member {
    const { clock, folder } = this;
    const member = new Member({ ...options, name, clock, ports: { ...this.ports, ...ports }, folder });
    this.#members.push(member);
    return member;
  }

  async progress({ incarnation }: WorldSink): Promise<SinkProgress> {
    const found = await this.ports.catalog.get('progress', progressId(incarnation), never);
    return progressDocuments.parse(found?.value);
  }

  /** Writes a transition into the document of a sink, as another process would; a refused one fails the test. */
  async change(sink: WorldSink, transition: (progress: SinkProgress) => SinkProgress | Refused): Promise<void> {
    for (;;) {
      const id = progressId(sink.incarnation);
      const found = await this.ports.catalog.get('progress', id, never);
      const value = transition(progressDocuments.parse(found?.value));
      if (isRefused(value)) throw new Error(`refused: ${value.reason}`);
      const write = { collection: 'progress', id, expected: found?.revision, value } as const;
      if ((await this.ports.catalog.compareAndSet(write, never)).kind === 'written') return;
    }
  }

  async ends(): Promise<SourceEnds> {
    return endsOf(await this.ports.sourceLog.ranges(source, never));
  }

  /** Lets time go on until the check holds; gives up when the machine has worked on it for minutes. */
  async until(check: () => Promise<boolean> | boolean, stepMs = 200): Promise<void> {
    const deadline = performance.now() + 240_000;
    while (!(await check())) {
      if (performance.now() > deadline) throw new Error(`it does not come to that: ${check.toString()}`);
      this.clock.advance(stepMs);
      await sleep(1);
    }
  }

  /** Lets so much time go on that whoever has something to do does it. */
  async pass(ms: number, stepMs = 200): Promise<void> {
    const end = this.clock.monotonic() + ms;
    await this.until(() => this.clock.monotonic() >= end, stepMs);
  }

  /** Ends a member as SIGTERM does, while time goes on. */
  async drain(member: Member): Promise<void> {
    let isDone = false;
    const draining = member.drain().finally(() => {
      isDone = true;
    });
    await this.until(() => isDone, 10);
    await draining;
  }

  /** Names of the objects in staging. */
  async objects(): Promise<readonly string[]> {
    const names: string[] = [];
    for await (const { name } of this.ports.objects.list('', never)) names.push(name);
    return names;
  }

  /** What the objects hold whose name begins so. */
  async objectTexts(prefix: string): Promise<readonly string[]> {
    const { objects } = this.ports;
    const names = (await this.objects()).filter((name) => name.startsWith(prefix));
    return Promise.all(names.map(async (name) => text(await objects.get(name, never))));
  }

  async delivered(...sinks: readonly WorldSink[]): Promise<void> {
    await this.until(async () => {
      const { durable: ends } = await this.ends();
      for (const sink of sinks) if (!isDelivered(await this.progress(sink), ends)) return false;
      return true;
    }, 1000);
  }

  /** Codes of the failures that the catalog shows, as the API does; not of what is only late, as the disk is under this clock. */
  async statuses(): Promise<readonly string[]> {
    const found = await this.ports.catalog.list({ collection: 'sink-status', prefix: '' }, never);
    const statuses = found.map(({ value }) => sinkStatusDocuments.parse(value)).filter((one) => !isOnlyLate(one));
    return statuses.map(({ role, code }) => `${role}: ${code}`);
  }

  /** Places of the rows of a sink's table, in the order of a list of texts. */
  async rows({ tableId }: WorldSink): Promise<readonly string[]> {
    const { rows } = await this.ports.tables.preview(tableId, { limit: 100_000 }, never);
    return rows.map(([at = '']) => at).toSorted();
  }

  async deadLetters({ incarnation }: WorldSink): Promise<readonly string[]> {
    if ((await this.ports.tables.describeTable(deadLetterTable, never)) === undefined) return [];
    const query = { limit: 100_000, columns: ['incarnation', 'partition', 'offset'] };
    const { rows } = await this.ports.tables.preview(deadLetterTable, query, never);
    return rows
      .filter(([of]) => of === String(incarnation))
      .map(([, partition, offset]) => `${partition}/${offset}`)
      .toSorted();
  }

  /** Places of all events that were produced, and of those among them that are not JSON. */
  produced(): { readonly all: readonly string[]; readonly broken: ReadonlySet<string> } {
    const all = this.#produced.flatMap((count, partition) =>
      Array.from({ length: count }, (_, offset) => `${partition}/${offset}`),
    );
    return { all, broken: this.#broken };
  }

  /** Keeps a copy of a store as it is now; nobody may be writing. */
  async copy(store: StoreFolder): Promise<void> {
    await this.#closeStores();
    await cp(join(this.folder, store), join(this.folder, 'copies', store), { recursive: true });
    await this.#openStores();
  }

  /** Brings a store back from its copy, while everything stands still. */
  async restore(store: StoreFolder): Promise<void> {
    await this.#closeStores();
    await rm(join(this.folder, store), { recursive: true });
    await cp(join(this.folder, 'copies', store), join(this.folder, store), { recursive: true });
    await this.#openStores();
  }

  async #openStores(): Promise<void> {
    const { folder, clock } = this;
    const stack = new AsyncDisposableStack();
    await mkdir(join(folder, 'local'), { recursive: true });
    const log = { clock, instance: 'main', first: true };
    const tables = { path: join(folder, 'tables.duckdb'), tempDir: join(folder, 'tmp'), threads: 1 };
    const catalog = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
    this.#ports = {
      catalog: this.#beside?.beside(catalog) ?? catalog,
      sourceLog: stack.use(this.#openLog?.() ?? (await openLmdbEventLog({ path: join(folder, 'source-log'), ...log }))),
      sinkLog: stack.use(this.#openLog?.() ?? (await openLmdbEventLog({ path: join(folder, 'sink-log'), ...log }))),
      objects: stack.use(await openFileSystemObjectStore({ folder: join(folder, 'staging'), removeLeftovers: true })),
      tables: stack.use(await openDuckDbTableStore({ ...tables, memoryLimitBytes: 96 * 1024 ** 2 })),
    };
    this.#stack = stack;
  }

  async #closeStores(): Promise<void> {
    for (const member of this.#members.splice(0)) await member[Symbol.asyncDispose]();
    await this.#stack.disposeAsync();
    this.#ports = undefined;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#closeStores();
    await rm(this.folder, { recursive: true, force: true });
  }
}
