import { variables } from '../../src/config/env.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf } from './figure.ts';
import { startLoader, type Loader } from './load/http-load.ts';
import { rate } from './rate.ts';
import { inTurns } from './rounds.ts';
import { sideCost } from './side-cost.ts';
import { batchLoad, singleLoad } from './sides/loads.ts';
import { warmUp, type LoadOptions, type Measured } from './sides/loaded-side.ts';
import { startToTable } from './sides/source.ts';
import { spreadOf } from './statistics.ts';
import { measureToTable } from './to-table.bench.ts';

interface Loaded {
  readonly batches: Measured;
  /** At a rate that is the same for both sides. */
  readonly even: Measured;
}

interface Round {
  readonly one: Loaded;
  readonly two: Loaded;
}

const setting = 'MILLRACE_THREADS';
/** What one thread takes even on a slow machine, and is not so busy that it needs another one. */
const evenPerSecond = 2000;

/** Two threads of each role against one, from the first request to the last row in the table. */
export const threadsBench: Bench = {
  meaning:
    'two threads of ingest, map and stage against one each: batches to the table, and the cost of an event at the same rate',
  usual: { rounds: 5, seconds: 3 },
  run: benchThreads,
};

async function benchThreads(options: BenchOptions): Promise<BenchResult> {
  if (!Object.hasOwn(variables, setting)) return { figures: [], notes: [`the product has no ${setting}`] };
  await using loader = startLoader();
  const rounds = await inTurns<Round>(options, {
    one: async () => ({ one: await measure(loader, options, 1) }),
    two: async () => ({ two: await measure(loader, options, 2) }),
  });
  const cost = (side: keyof Round, load: keyof Loaded, name: string) =>
    sideCost(
      name,
      rounds.map((round) => round[side][load]),
    );
  const costs = [
    cost('one', 'batches', 'batches, one thread'),
    cost('two', 'batches', 'batches, two threads'),
    cost('one', 'even', 'same rate, one thread'),
    cost('two', 'even', 'same rate, two threads'),
  ] as const;
  const [batchesOfOne, batchesOfTwo, evenOfOne, evenOfTwo] = costs;
  return {
    figures: [
      figureOf(spreadOf(rounds.map(({ one, two }) => two.batches.perSecond / one.batches.perSecond)), {
        what: 'two ingest, map and stage threads, batches to the table: rows/s, times those of one each',
        floor: '1.3',
        goal: '1.6',
        sides: `${rate(batchesOfTwo.perSecond.median, 'rows')} of ${rate(batchesOfOne.perSecond.median, 'rows')}`,
      }),
      figureOf(spreadOf(rounds.map(({ one, two }) => two.even.microseconds / one.even.microseconds)), {
        what: `two threads each, ${evenPerSecond.toLocaleString('en')} single events/s: processor time, times that of one each`,
        floor: '1.15',
        goal: '1.05',
        sides: `${evenOfTwo.microseconds.median.toFixed(1)} µs of ${evenOfOne.microseconds.median.toFixed(1)} µs`,
      }),
    ],
    costs,
  };
}

async function measure(loader: Loader, options: BenchOptions, threads: number): Promise<Loaded> {
  await using side = await startToTable({ env: { [setting]: String(threads) } });
  // Each thread compiles for itself what it runs: that is its start, not the cost of an event.
  const warm = async (load: LoadOptions): Promise<void> => {
    for (let thread = 0; thread < threads; thread += 1) await warmUp(side, loader, load);
    await side.sink.flush();
  };
  const atEvenRate = { ...singleLoad(options), perSecond: evenPerSecond };
  await warm(atEvenRate);
  const even = await measureToTable(side, loader, atEvenRate);
  // A second thread that takes events begins here, when the first one is busy.
  await warm(batchLoad(options));
  return { even, batches: await measureToTable(side, loader, batchLoad(options)) };
}
