import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDuckDbTableStore } from '../../src/adapters/duckdb/table-store.ts';
import { dataFolder } from '../../src/runtime/embedded/data-folder.ts';
import { openEmbeddedPorts } from '../../src/runtime/embedded/embedded-ports.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf, type Figure } from './figure.ts';
import { rate } from './rate.ts';
import { importAll, importerOf, PlainTable, stagedFiles } from './staging/imports.ts';
import { appendOutcomes, columnNames, incarnation, makeSink, never, tableId } from './staging/outcomes.ts';
import { Reading, type Read, type ReadingSide } from './staging/reading.ts';
import { median, spreadOf } from './statistics.ts';

/** What takes turns. */
type Side =
  | ReadingSide
  /** Rows of the staged slices loaded by DuckDB alone. */
  | 'loaded'
  /** The same rows imported, document and ledger included. */
  | 'imported';

type Round = Readonly<Record<Side, Read>>;

/** So many wait for an import at most: four times what its trigger asks for, as when the stage is ahead of it. */
const rowsOfTurn = 200_000;

const tablesMemory = 96 * 1024 ** 2;

/** Stage against the log's own scan, import against the table store's own load; both wait for the disk, which is not always the same. */
export const stageBench: Bench = {
  meaning:
    "stage outcomes (--events) and import their slices, beside the log's own scan and the table store's own load",
  usual: { rounds: 10, events: 1_000_000 },
  run: benchStage,
};

async function benchStage({ rounds, events, profile, tell }: BenchOptions): Promise<BenchResult> {
  const results: Round[] = [];
  const turns = Math.max(1, Math.round(events / rowsOfTurn));
  const rows = turns * rowsOfTurn;
  for (let round = 1; round <= rounds; round += 1) {
    tell(`round ${round} of ${rounds}`);
    results.push(await benchRound(turns));
  }
  if (profile !== undefined) {
    tell(`profile: ${join(profile, 'stage.speedscope.json')}`);
    await benchRound(turns, profile);
  }
  const eachOf = (of: Side, key: keyof Read): number => median(results.map((round) => round[of][key] / rows));
  const side = (of: Side, unit: string): string =>
    `${rate(1 / eachOf(of, 'seconds'), unit)} at ${eachOf(of, 'microseconds').toFixed(2)} µs`;
  const ofThread = (of: Side): string => `${eachOf(of, 'ofThread').toFixed(2)} µs`;
  const share = (of: Side, by: Side, texts: Pick<Figure, 'what' | 'floor' | 'goal' | 'sides'>): Figure =>
    figureOf(spreadOf(results.map((round) => round[by].seconds / round[of].seconds)), texts);
  const shareOfThread = (of: Side, by: Side): Figure =>
    figureOf(spreadOf(results.map((round) => round[by].ofThread / round[of].ofThread)), {
      what: 'the same, by processor time of the thread alone',
      floor: '–',
      goal: '–',
      sides: `${ofThread(of)} of ${ofThread(by)}`,
    });
  return {
    figures: [
      share('staged', 'scanned', {
        what: "stage: outcomes to sealed slices, share of the log's own scan",
        floor: '0.5',
        goal: '0.6',
        sides: `${side('staged', 'outcomes')} of ${side('scanned', 'outcomes')}`,
      }),
      shareOfThread('staged', 'scanned'),
      share('staged', 'written', {
        what: 'stage, share of a scan that writes the lines into files and syncs them',
        floor: '–',
        goal: '–',
        sides: `${side('staged', 'outcomes')} of ${side('written', 'outcomes')}`,
      }),
      shareOfThread('staged', 'written'),
      share('imported', 'loaded', {
        what: "import, share of the table store's own CSV load",
        floor: '0.8',
        goal: '0.95',
        sides: `${side('imported', 'rows')} of ${side('loaded', 'rows')}`,
      }),
    ],
  };
}

/**
 * All sides on one folder, in turns of some slices: what is staged is imported before more is, so that the document stays as small as it is
 * for a user.
 */
async function benchRound(turns: number, profile?: string): Promise<Round> {
  const path = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  const folder = dataFolder(path);
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rm(path, { recursive: true, force: true }));
  const { catalog, sourceLog, sinkLog, staging: objects, local, temporary } = folder;
  for (const name of [catalog, sourceLog, sinkLog, objects, local, temporary, join(path, 'lines')])
    await mkdir(name, { recursive: true });
  const ports = await openEmbeddedPorts(folder, { instance: 'bench', first: true, onBroken: () => undefined }, stack);
  const progress = await makeSink(ports);
  const reading = stack.use(await Reading.start({ path, ...(profile === undefined ? {} : { profile }) }));
  const plain = stack.use(await PlainTable.open(join(path, 'plain.duckdb'), tablesMemory));
  const tables = stack.use(
    await openDuckDbTableStore({
      path: folder.tables,
      threads: 1,
      memoryLimitBytes: tablesMemory,
      tempDir: temporary,
    }),
  );
  await tables.createTable(tableId, columnNames, { signal: never });
  await tables.createLedger(incarnation, { signal: never });
  const importer = importerOf(ports, tables);

  const sums = new Sums();
  // Each reads a topic of its own right after it was written: nobody finds pages that another one has looked at.
  const sides = { scanned: 'scanned', written: 'written', staged: progress.topics.sink };
  for (let turn = 0; turn <= turns; turn += 1) {
    // The first turn is not counted: the engine compiles what runs.
    if (turn === 1) sums.clear();
    const asked = { first: turn * rowsOfTurn, count: rowsOfTurn };
    const order = Object.entries(sides) as [ReadingSide, string][];
    for (const [side, topic] of turn % 2 === 0 ? order : order.toReversed()) {
      await appendOutcomes(ports.sinkLog, topic, asked);
      sums.add(side, await reading.read({ side, ...asked }));
    }
    const slices = await stagedFiles(ports);
    sums.add('loaded', await timed(() => plain.load(slices)));
    sums.add('imported', await timed(() => importAll(ports, importer)));
  }
  const stored = (await tables.describeTable(tableId, { signal: never }))?.rows;
  if (stored !== (turns + 1) * rowsOfTurn) throw new Error(`the table has ${stored} rows`);
  return sums.round;
}

async function timed(work: () => Promise<void>): Promise<Read> {
  const began = performance.now();
  const before = process.cpuUsage();
  const threadBefore = process.threadCpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  const thread = process.threadCpuUsage(threadBefore);
  const seconds = (performance.now() - began) / 1000;
  return { seconds, microseconds: user + system, ofThread: thread.user + thread.system };
}

class Sums {
  readonly #sums = new Map<Side, Read>();

  add(side: Side, { seconds, microseconds, ofThread }: Read): void {
    const before = this.#of(side);
    this.#sums.set(side, {
      seconds: before.seconds + seconds,
      microseconds: before.microseconds + microseconds,
      ofThread: before.ofThread + ofThread,
    });
  }

  clear(): void {
    this.#sums.clear();
  }

  get round(): Round {
    const of = (side: Side): Read => this.#of(side);
    return {
      scanned: of('scanned'),
      written: of('written'),
      staged: of('staged'),
      loaded: of('loaded'),
      imported: of('imported'),
    };
  }

  #of(side: Side): Read {
    return this.#sums.get(side) ?? { seconds: 0, microseconds: 0, ofThread: 0 };
  }
}
