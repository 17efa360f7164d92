import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbTableStore } from '../../src/adapters/duckdb/table-store.ts';
import { openFileSystemObjectStore } from '../../src/adapters/filesystem/object-store.ts';
import { openLmdbCatalog } from '../../src/adapters/lmdb/catalog.ts';
import { openLmdbEventLog } from '../../src/adapters/lmdb/event-log.ts';
import { mappingId, progressId } from '../../src/documents/document-id.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import { sinkStatusDocuments } from '../../src/documents/sink-status-document.ts';
import { limits } from '../../src/core/limits.ts';
import { objectName } from '../../src/core/object-name.ts';
import type { SinkProgress, StagedSlice } from '../../src/core/progress/sink-progress.ts';
import { RunningTime } from '../../src/core/running-time.ts';
import type { SinkStatus } from '../../src/core/sink-status.ts';
import { parseTableId } from '../../src/core/table-id.ts';
import type { Ownership } from '../../src/ports/claimable.ts';
import { ImportHistory } from '../../src/stages/import/import-history.ts';
import type { ImportRights } from '../../src/stages/import/import-rights.ts';
import { SinkImporter, type SinkImporterOptions } from '../../src/stages/import/sink-importer.ts';
import type { ReadProgress } from '../../src/stages/replica/progress-document.ts';
import { StatusBoard } from '../../src/stages/status/status-board.ts';
import { FakeClock } from './fake-clock.ts';
import { ownEverything } from './own-everything.ts';
import { Trigger } from '../../src/core/trigger.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { RetryPacing } from '../../src/core/retry-pacing.ts';
import { progressOf, sliceOf } from './progress-of.ts';
import { remapHere } from './remap-here.ts';
import { silentImports } from './silent-imports.ts';

const never = { signal: new AbortController().signal };
const { incarnation } = progressOf(0);
const version = 1;

/** One sink whose slices are staged, on the embedded stores, and an importer that does what is due. Time is the test's. */
export class ImportHarness implements AsyncDisposable {
  readonly clock = new FakeClock();
  readonly tableId = parseTableId('in.c-shop.orders');
  readonly incarnation = incarnation;
  readonly given: StagedSlice[] = [];
  /** Whether the sink may load; the test's to change. */
  readonly rights: { check: ImportRights['check'] } = { check: () => Promise.resolve() };
  /** Whether staging answers for its mark; the test's to change. */
  readonly ownership: { -readonly [Key in keyof Ownership]: Ownership[Key] } = { ...ownEverything };
  readonly options: SinkImporterOptions;
  readonly tableStore: TableStore;
  importer: SinkImporter;
  readonly #stack: AsyncDisposableStack;
  #running = new RunningTime(limits.importerStepMs);

  private constructor(
    stack: AsyncDisposableStack,
    {
      tableStore,
      ...ports
    }: Pick<SinkImporterOptions, 'catalog' | 'objects' | 'sourceLog' | 'sinkLog'> & {
      readonly tableStore: TableStore;
    },
  ) {
    this.#stack = stack;
    this.tableStore = tableStore;
    const { clock } = this;
    let made = 0;
    this.options = {
      ...ports,
      tables: tableStore,
      ledger: tableStore,
      letters: tableStore,
      remapper: remapHere,
      ownership: this.ownership,
      clock,
      rights: this.rights,
      status: this.#board(ports.catalog),
      observer: {
        ...silentImports,
        sliceGivenUp: (_, slice) => void this.given.push(slice),
      },
      history: new ImportHistory(ports.catalog),
      running: this.#running,
      unique: () => String((made += 1)),
      trigger: () => new Trigger({ count: 1, sizeBytes: 1e6, intervalMs: 30_000, slices: 100 }),
      retry: new RetryPacing({ firstMs: 1000, capMs: 60_000 }, () => 0.5),
    };
    this.importer = new SinkImporter(this.options, incarnation);
  }

  /** A sink with so many slices, a row each. */
  static async open(slices: number): Promise<ImportHarness> {
    await using stack = new AsyncDisposableStack();
    const folder = await mkdtemp(join(tmpdir(), 'millrace-import-'));
    stack.defer(() => rm(folder, { recursive: true }));
    const catalog = stack.use(await openLmdbCatalog({ path: join(folder, 'catalog') }));
    const clock = new FakeClock();
    const log = { path: join(folder, 'log'), clock, instance: 'main', first: true };
    const sinkLog = stack.use(await openLmdbEventLog(log));
    const objects = stack.use(
      await openFileSystemObjectStore({ folder: join(folder, 'staging'), removeLeftovers: true }),
    );
    const file = { path: join(folder, 'tables.duckdb'), tempDir: join(folder, 'tmp'), threads: 1 };
    const tableStore = stack.use(await openDuckDbTableStore({ ...file, memoryLimitBytes: 96 * 1024 ** 2 }));
    const harness = new ImportHarness(stack.move(), {
      catalog,
      objects,
      tableStore,
      sourceLog: sinkLog,
      sinkLog,
    });
    await harness.#begin(slices);
    return harness;
  }

  async #begin(slices: number): Promise<void> {
    const { catalog, tables, ledger } = this.options;
    const { tableId } = this;
    const columns = [{ type: 'body', name: 'body' }];
    const mapping = { incarnation, version, tableId, columns, allowedSignals: [] };
    const of = { collection: 'mapping', id: mappingId(incarnation, version), expected: undefined } as const;
    await catalog.compareAndSet({ ...of, value: mapping }, never);
    await tables.createTable(tableId, ['body'], never);
    await ledger.createLedger(incarnation, never);
    const staged: StagedSlice[] = [];
    for (let index = 0; index < slices; index += 1) staged.push(await this.#slice(index));
    const id = progressId(incarnation);
    const value: SinkProgress = { ...progressOf(0), staged };
    await catalog.compareAndSet({ collection: 'progress', id, expected: undefined, value }, never);
  }

  async #slice(index: number, lines: readonly string[] = []): Promise<StagedSlice> {
    const name = objectName({ incarnation, partition: 0, stamp: 1, unique: String(index), part: 'rows' });
    const bytes = lines.length === 0 ? csvOf(index) : Buffer.from(lines.join(''));
    const rowsObject = await this.options.objects.put(name, { kind: 'bytes', bytes }, never);
    const at = { id: String(index), from: index - 1, to: index, mappingVersion: version, stagedAt: this.clock.now() };
    return sliceOf({ ...at, rows: Math.max(1, lines.length), rowsObject });
  }

  /** One more slice, as the stage seals it; with these lines, or one of its own. */
  async stage(index: number, lines: readonly string[] = []): Promise<void> {
    const slice = await this.#slice(index, lines);
    await this.rewrite((progress) => ({ ...progress, staged: [...progress.staged, slice] }));
  }

  /** Changes the document as others would. */
  async rewrite(change: (progress: SinkProgress) => SinkProgress): Promise<void> {
    const { revision, value } = await this.held();
    const write = { collection: 'progress', id: progressId(incarnation), expected: revision } as const;
    await this.options.catalog.compareAndSet({ ...write, value: change(value) }, never);
  }

  /** What the object of a slice holds, to be damaged and made whole again. */
  async pathOf(index: number): Promise<string> {
    const name = objectName({ incarnation, partition: 0, stamp: 1, unique: String(index), part: 'rows' });
    const path = await this.options.objects.localPath(name, never);
    if (path === undefined) throw new Error(`slice ${index} has no file`);
    return path;
  }

  /** Another process, which knows only what is written down. */
  restart(): void {
    const status = this.#board(this.options.catalog);
    this.#running = new RunningTime(limits.importerStepMs);
    this.importer = new SinkImporter({ ...this.options, running: this.#running, status }, incarnation);
  }

  /** Time goes on, while the process looks at its clock as the service does. */
  run(ms: number): void {
    for (let left = ms; left > 0; left -= limits.importerStepMs) {
      this.clock.advance(Math.min(left, limits.importerStepMs));
      this.#running.look(this.clock.monotonic());
    }
  }

  /** Runs the importer as the service does, until it says that nothing is due. */
  async workWhileDue(): Promise<void> {
    for (let rounds = 0; rounds < 1000; rounds += 1) {
      const dueAt = this.importer.dueAt(await this.held(), this.clock.monotonic());
      if (dueAt === undefined || dueAt > this.clock.monotonic()) return;
      await this.importer.work(never);
    }
    throw new Error('there is always something due');
  }

  async held(): Promise<ReadProgress> {
    const found = await this.options.catalog.get('progress', progressId(incarnation), never);
    return { revision: found?.revision ?? 0, value: progressDocuments.parse(found?.value) };
  }

  async progress(): Promise<SinkProgress> {
    return (await this.held()).value;
  }

  async rows(): Promise<number> {
    return (await this.options.tables.describeTable(this.tableId, never))?.rows ?? 0;
  }

  /** What the importer tells of the sink. */
  async alarm(): Promise<SinkStatus | undefined> {
    await this.options.status.settled();
    const [found] = await this.options.catalog.list({ collection: 'sink-status', prefix: '' }, never);
    return found === undefined ? undefined : sinkStatusDocuments.parse(found.value);
  }

  #board(catalog: SinkImporterOptions['catalog']): StatusBoard {
    const observer = { sinkFailed: () => undefined, sinkHealed: () => undefined };
    return new StatusBoard({ member: 'one', catalog, clock: this.clock, role: 'import', observer });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stack[Symbol.asyncDispose]();
  }
}

/** The content of a slice's object. */
export function csvOf(index: number): Buffer {
  return Buffer.from(`"row ${index}"\n`);
}
