import { DuckDBInstance } from '@duckdb/node-api';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbTableStore } from '../../src/adapters/duckdb/table-store.ts';
import { mappingId, progressId } from '../../src/documents/document-id.ts';
import type { BranchId, Incarnation, SinkId, SourceId } from '../../src/core/ids.ts';
import { limits } from '../../src/core/limits.ts';
import { encodeOutcome } from '../../src/core/outcome.ts';
import { beginProgress, type SinkProgress } from '../../src/core/progress/sink-progress.ts';
import { progressDocuments } from '../../src/documents/progress-document.ts';
import { RunningTime } from '../../src/core/running-time.ts';
import { parseTableId } from '../../src/core/table-id.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import type { TableStore } from '../../src/ports/table-store.ts';
import { dataFolder, type DataFolder } from '../../src/runtime/embedded/data-folder.ts';
import type { Ports } from '../../src/runtime/composition/ports.ts';
import { openEmbeddedPorts } from '../../src/runtime/embedded/embedded-ports.ts';
import { systemClock } from '../../src/runtime/system-clock.ts';
import { unique } from '../../src/runtime/unique.ts';
import { ImportHistory } from '../../src/stages/import/import-history.ts';
import { SinkImporter } from '../../src/stages/import/sink-importer.ts';
import { Configuration } from '../../src/stages/replica/configuration.ts';
import { StageService } from '../../src/stages/stage/stage-service.ts';
import { StatusBoard } from '../../src/stages/status/status-board.ts';
import { Trigger } from '../../src/core/trigger.ts';
import { RetryPacing } from '../../src/core/retry-pacing.ts';
import { ownEverything } from '../support/own-everything.ts';
import { remapHere } from '../support/remap-here.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf } from './figure.ts';
import { rate } from './rate.ts';
import { median, spreadOf } from './statistics.ts';

/** How long something took all rows of a round, and the processor time of all threads of this process, microseconds. */
interface Timed {
  readonly seconds: number;
  readonly microseconds: number;
}

interface Round {
  /** Outcomes read through a group member and thrown away. */
  readonly scanned: Timed;
  /** Outcomes made into sealed slices. */
  readonly staged: Timed;
  /** Rows of the same slices loaded by DuckDB alone. */
  readonly loaded: Timed;
  /** Rows imported from the staged slices, document and ledger included. */
  readonly imported: Timed;
}

const never = new AbortController().signal;
const incarnation = 1 as Incarnation;
const key = { branchId: 1 as BranchId, sourceId: 'bench' as SourceId, sinkId: 'sink' as SinkId };
const tableId = parseTableId('in.c-bench.events');
const columnNames = ['id', 'received', 'ip', 'action', 'repository', 'sender'];
const topics = { source: 'source.1.bench', sink: 'sink.1.bench.sink.1' };
const retry = new RetryPacing({ firstMs: 100, capMs: 1000 }, Math.random);

/** Stage against the log's own scan, import against the table store's own load; both wait for the disk, which is not always the same. */
export const stageBench: Bench = {
  meaning:
    "stage outcomes (--events) and import their slices, beside the log's own scan and the table store's own load",
  usual: { rounds: 10, events: 1_000_000 },
  run: benchStage,
};

async function benchStage({ rounds, events, tell }: BenchOptions): Promise<BenchResult> {
  const results: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    tell(`round ${round + 1} of ${rounds}`);
    results.push(await benchRound(events));
  }
  const side = (of: keyof Round, unit: string): string =>
    `${rate(median(results.map((round) => events / round[of].seconds)), unit)} at ${median(results.map((round) => round[of].microseconds / events)).toFixed(2)} µs`;
  return {
    figures: [
      figureOf(spreadOf(results.map(({ scanned, staged }) => scanned.seconds / staged.seconds)), {
        what: "stage: outcomes to sealed slices, share of the log's own scan",
        floor: '0.5',
        goal: '0.6',
        sides: `${side('staged', 'outcomes')} of ${side('scanned', 'outcomes')}`,
      }),
      figureOf(spreadOf(results.map(({ scanned, staged }) => scanned.microseconds / staged.microseconds)), {
        what: 'the same by processor time of an outcome',
        floor: '–',
        goal: '–',
        sides: '',
      }),
      figureOf(spreadOf(results.map(({ loaded, imported }) => loaded.seconds / imported.seconds)), {
        what: "import, share of the table store's own CSV load",
        floor: '0.8',
        goal: '0.95',
        sides: `${side('imported', 'rows')} of ${side('loaded', 'rows')}`,
      }),
    ],
  };
}

async function benchRound(rows: number): Promise<Round> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  const folder = dataFolder(path);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(path, { recursive: true, force: true }));
  for (const name of [
    folder.catalog,
    folder.sourceLog,
    folder.sinkLog,
    folder.staging,
    folder.local,
    folder.temporary,
  ]) {
    await mkdir(name, { recursive: true });
  }
  const ports = await openEmbeddedPorts(folder, { instance: 'bench', first: true, onBroken: () => undefined }, stack);
  const progress = await prepare(ports, rows);
  const scanned = await timed(() => scan(ports.sinkLog, rows));
  const staged = await timed(() => stageAll({ ports, folder, progress, rows }));
  const files = await stagedFiles(ports);
  const memory = 96 * 1024 ** 2;
  const loaded = await timed(() => loadPlainly(join(path, 'plain.duckdb'), files, memory));
  const tables = stack.use(
    await openDuckDbTableStore({
      path: folder.tables,
      threads: 1,
      memoryLimitBytes: memory,
      tempDir: folder.temporary,
    }),
  );
  await tables.createTable(tableId, columnNames, { signal: never });
  await tables.createLedger(incarnation, { signal: never });
  const imported = await timed(() => importAll(ports, tables));
  const stored = (await tables.describeTable(tableId, { signal: never }))?.rows;
  if (stored !== rows) throw new Error(`the table has ${stored} rows instead of ${rows}`);
  return { scanned, staged, loaded, imported };
}

async function timed(work: () => Promise<void>): Promise<Timed> {
  const began = performance.now();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return { seconds: (performance.now() - began) / 1000, microseconds: user + system };
}

/** Topics with `rows` outcomes, and the documents of their sink. */
async function prepare({ catalog, sourceLog, sinkLog }: Ports, rows: number): Promise<SinkProgress> {
  const source = await sourceLog.createTopic({ name: topics.source, partitions: 1 }, { signal: never });
  const sink = await sinkLog.createTopic({ name: topics.sink, partitions: 1 }, { signal: never });
  const line = Buffer.from(
    '"019a1b2c-3d4e-7f50-8a6b-7c8d9e0f1a2b","2026-01-01T00:00:00.000Z","127.0.0.1","opened","millrace/millrace","somebody"\n',
  );
  for (let offset = 0; offset < rows; offset += 1000) {
    const records = Array.from({ length: Math.min(1000, rows - offset) }, (_, index) => {
      const to = offset + index;
      const value = encodeOutcome({ kind: 'row', from: to - 1, to, mappingVersion: 1, arrivedAt: to, line });
      return { value, headers: [], timestamp: to };
    });
    await sinkLog.append({ topic: topics.sink, partition: 0 }, records, { signal: never });
  }
  const progress = beginProgress({
    key,
    incarnation,
    topics: { ...topics, sourceIdentity: source.identity, sinkIdentity: sink.identity },
    mappingVersion: 1,
    starts: new Map([[0, 0]]),
    at: 0,
  });
  const columns = columnNames.map((name) => ({ type: 'body', name }));
  const mapping = { incarnation, version: 1, tableId, columns, allowedSignals: [] };
  await catalog.compareAndSet(
    { collection: 'mapping', id: mappingId(incarnation, 1), expected: undefined, value: mapping },
    { signal: never },
  );
  await catalog.compareAndSet(
    { collection: 'progress', id: progressId(incarnation), expected: undefined, value: progress },
    { signal: never },
  );
  return progress;
}

async function scan(log: EventLog, rows: number): Promise<void> {
  await using member = await log.join({ group: 'scan', member: 'scan' }, { signal: never });
  await member.subscribe([topics.sink], { signal: never });
  let bytes = 0;
  for (let seen = 0; seen < rows;) {
    const batches = await member.poll({ maxBytes: 1024 * 1024, maxWaitMs: 100 }, { signal: never });
    const [at] = member.assignment.partitions;
    if (at !== undefined && seen === 0 && batches.length === 0) {
      member.seek(at, 0);
      member.resume(at);
    }
    for (const { records } of batches) {
      for (const { value } of records) bytes += value.length;
      seen += records.length;
    }
  }
  if (bytes === 0) throw new Error('the scan has read nothing');
}

interface StageAll {
  readonly ports: Ports;
  readonly folder: DataFolder;
  readonly progress: SinkProgress;
  readonly rows: number;
}

const silent = { sinkFailed: () => undefined, sinkHealed: () => undefined };

async function stageAll({ ports, folder, progress, rows }: StageAll): Promise<void> {
  const configuration = new Configuration({ catalog: ports.catalog, onInvalid: () => undefined });
  await configuration.load({ signal: never });
  const leaving = new AbortController();
  const following = configuration.follow(leaving).catch(() => undefined);
  const service = new StageService({
    ...ports,
    configuration,
    folder: folder.local,
    status: new StatusBoard({
      catalog: ports.catalog,
      clock: systemClock,
      role: 'stage',
      member: 'bench',
      observer: silent,
    }),
    observer: {
      sliceSealed: () => undefined,
      topicTorn: () => undefined,
      uploadsWait: () => undefined,
      holesFound: () => undefined,
    },
    clock: systemClock,
    unique,
    retry,
    member: 'bench',
    pollBytes: 1024 * 1024,
  });
  const running = service.run(leaving.signal).catch(() => undefined);
  for (let isDone = false; !isDone;) {
    await systemClock.sleep(5, { signal: never });
    const entry = configuration.progressOf(progress.incarnation)?.value.entries['0'];
    isDone = entry !== undefined && entry.source >= rows - 1 - 9_999;
  }
  await service.drain();
  await running;
  leaving.abort();
  await following;
}

async function readProgress({ catalog }: Ports): Promise<SinkProgress> {
  const found = await catalog.get('progress', progressId(incarnation), { signal: never });
  return progressDocuments.parse(found?.value);
}

async function stagedFiles(ports: Ports): Promise<readonly string[]> {
  const { staged } = await readProgress(ports);
  const paths = staged.map(({ rowsObject }) => ports.objects.localPath(rowsObject?.name ?? '', { signal: never }));
  return (await Promise.all(paths)).filter((path) => path !== undefined);
}

/** The same files by DuckDB alone, told what they are, so that it guesses nothing. */
async function loadPlainly(path: string, files: readonly string[], memory: number): Promise<void> {
  const instance = await DuckDBInstance.create(path, { threads: '1', memory_limit: `${memory}B` });
  const connection = await instance.connect();
  await connection.run(`CREATE TABLE events (${columnNames.map((name) => `${name} VARCHAR`).join(', ')})`);
  const list = files.map((file) => `'${file}'`).join(', ');
  const columns = columnNames.map((name) => `${name}: 'VARCHAR'`).join(', ');
  const dialect = `auto_detect = false, header = false, delim = ',', quote = '"', escape = '"'`;
  await connection.run(`INSERT INTO events SELECT * FROM read_csv([${list}], columns = {${columns}}, ${dialect})`);
  connection.closeSync();
  instance.closeSync();
}

async function importAll(ports: Ports, tables: TableStore): Promise<void> {
  const importer = new SinkImporter(
    {
      ...ports,
      tables,
      ledger: tables,
      letters: tables,
      remapper: remapHere,
      ownership: ownEverything,
      clock: systemClock,
      rights: { check: () => Promise.resolve() },
      status: new StatusBoard({
        catalog: ports.catalog,
        clock: systemClock,
        role: 'import',
        member: 'bench',
        observer: silent,
      }),
      observer: {
        importStarted: () => undefined,
        importFinished: () => undefined,
        importAbandoned: () => undefined,
        lettersReplayed: () => undefined,
        lettersPassed: () => undefined,
        replayEnded: () => undefined,
        slicesParked: () => undefined,
        sliceDamaged: () => undefined,
        holesFound: () => undefined,
        sliceGivenUp: () => undefined,
        incarnationPurged: () => undefined,
        objectsCollected: () => undefined,
      },
      history: new ImportHistory(ports.catalog),
      running: new RunningTime(limits.importerStepMs),
      unique,
      trigger: () => new Trigger({ count: 50_000, sizeBytes: 50 * 1024 ** 2, intervalMs: 0, slices: 100 }),
      retry,
    },
    incarnation,
  );
  for (
    let progress = await readProgress(ports);
    progress.staged.length > 0 || progress.importing !== undefined;
    progress = await readProgress(ports)
  ) {
    await importer.work({ signal: never });
  }
}
