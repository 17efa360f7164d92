import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf, type Figure } from './figure.ts';
import { startLoader, type Loader } from './load/http-load.ts';
import { inTurns } from './rounds.ts';
import { partMicroseconds, sideCost } from './side-cost.ts';
import { singleLoad } from './sides/loads.ts';
import { measureSide, warmUp, type Measured } from './sides/loaded-side.ts';
import { makeSource, startToTable, type TableSide } from './sides/source.ts';
import { median, spreadOf, spreadText, type Spread } from './statistics.ts';
import { measureToTable } from './to-table.bench.ts';

interface Loaded {
  readonly accept: Measured;
  readonly toTable: Measured;
}

interface Round {
  readonly on: Loaded;
  readonly alsoOn: Loaded;
  readonly off: Loaded;
}

/** What the product says about itself costs it: metrics with a scrape in each load, and the log into a pipe, against neither. */
export const telemetryCostBench: Bench = {
  meaning: 'what metrics and logs cost: on and off in pairs, beside a pair of equals that shows the noise',
  usual: { rounds: 10, seconds: 3 },
  run: benchTelemetryCost,
};

async function benchTelemetryCost(options: BenchOptions): Promise<BenchResult> {
  await using loader = startLoader();
  const rounds = await inTurns<Round>(options, {
    on: async () => ({ on: await measure(loader, options, 'on') }),
    off: async () => ({ off: await measure(loader, options, 'off') }),
    'on, again': async () => ({ alsoOn: await measure(loader, options, 'on') }),
  });
  const cost = (side: keyof Round, load: keyof Loaded, name: string) =>
    sideCost(
      name,
      rounds.map((round) => round[side][load]),
    );
  const costs = [
    cost('on', 'accept', 'accept, telemetry on'),
    cost('alsoOn', 'accept', 'accept, on again'),
    cost('off', 'accept', 'accept, off'),
    cost('on', 'toTable', 'to the table, telemetry on'),
    cost('alsoOn', 'toTable', 'to the table, on again'),
    cost('off', 'toTable', 'to the table, off'),
  ];
  const asked: readonly Asked[] = [
    { what: 'accept: processor time of an event', of: ({ accept }) => accept.microseconds, unit: 'µs' },
    { what: 'accept: rate', of: ({ accept }) => 1e6 / accept.perSecond, unit: 'µs between two events' },
    { what: 'to the table: processor time of an event', of: ({ toTable }) => toTable.microseconds, unit: 'µs' },
    { what: 'map: processor time of its thread', of: ({ toTable }) => partMicroseconds(toTable, 'map'), unit: 'µs' },
    { what: 'to the table: rate', of: ({ toTable }) => 1e6 / toTable.perSecond, unit: 'µs between two rows' },
  ];
  return { figures: asked.map((each) => figureOfCost(rounds, each)), costs };
}

interface Asked {
  readonly what: string;
  /** More is worse. */
  readonly of: (loaded: Loaded) => number;
  readonly unit: string;
}

function figureOfCost(rounds: readonly Round[], { what, of, unit }: Asked): Figure {
  const more = (one: keyof Round, other: keyof Round): Spread =>
    spreadOf(rounds.map((round) => (of(round[one]) / of(round[other]) - 1) * 100));
  const middle = (side: keyof Round): string => median(rounds.map((round) => of(round[side]))).toFixed(1);
  return figureOf(more('on', 'off'), {
    what: `metrics and logs, cost of them in ${what}`,
    digits: 1,
    unit: ' %',
    floor: '–',
    goal: '3 %',
    sides: `${middle('on')} of ${middle('off')} ${unit}; equals differ by ${spreadText(more('alsoOn', 'on'), 1)} %`,
  });
}

const program = fileURLToPath(new URL('telemetry/process.ts', import.meta.url));

/** Both loads in a fresh process. */
async function measure(loader: Loader, options: BenchOptions, telemetry: 'on' | 'off'): Promise<Loaded> {
  const env = { BENCH_TELEMETRY: telemetry, MILLRACE_LOG_LEVEL: 'info' };
  await using side = await startToTable({ program, env });
  const scraped = async (work: () => Promise<Measured>): Promise<Measured> => {
    const [measured] = await Promise.all([work(), telemetry === 'on' && scrape(side, options)]);
    return measured;
  };
  const load = singleLoad(options);
  const accept = { pid: side.pid, url: await makeSource(side.product.api, 'accept') };
  await warmUp(accept, loader, load);
  return {
    accept: await scraped(() => measureSide(accept, loader, load)),
    toTable: await measureToTable(side, loader, { ...load, around: scraped }),
  };
}

/** Once in a load: some times as often as Prometheus does. */
async function scrape({ product }: TableSide, { seconds }: BenchOptions): Promise<void> {
  await sleep(seconds * 500);
  const answer = await fetch(`${product.process.admin}/metrics`);
  const text = await answer.text();
  if (!text.includes('millrace_ingest_events_total'))
    throw new Error(`/metrics was answered ${answer.status}: ${text}`);
}
