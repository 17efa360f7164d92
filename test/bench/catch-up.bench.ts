import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf } from './figure.ts';
import { startLoader, type Loader } from './load/http-load.ts';
import { watchMemory } from './memory.ts';
import { profiled } from './profile/profiled.ts';
import { readProcessorTime, timeBetween, totalOf } from './processor-time.ts';
import { rate } from './rate.ts';
import { inTurns } from './rounds.ts';
import { sideCost } from './side-cost.ts';
import { batch, linesPerBatch } from './sides/event.ts';
import { batchLoad, singleLoad } from './sides/loads.ts';
import { measureSide, type Measured } from './sides/loaded-side.ts';
import { makeSource, Sink, startAccept, startToTable, type AcceptSide } from './sides/source.ts';
import { measureToTable } from './to-table.bench.ts';
import { median, spreadOf } from './statistics.ts';

interface Round {
  readonly sustained: Measured;
  readonly caughtUp: Measured;
  readonly anonymousMb: number;
}

/** A sink that begins at the start of a source that has events, beside the rate at which events come to the table one by one. */
export const catchUpBench: Bench = {
  meaning: 'rows/s of a backlog (--events), times the sustained rate to the table',
  usual: { rounds: 3, seconds: 5, events: 1_000_000 },
  run: benchCatchUp,
};

async function benchCatchUp(options: BenchOptions): Promise<BenchResult> {
  await using loader = startLoader();
  const rounds = await inTurns<Round>(options, {
    sustained: async () => {
      await using side = await startToTable();
      return { sustained: await measureToTable(side, loader, singleLoad(options)) };
    },
    backlog: async () => {
      await using side = await startAccept();
      return await catchUp(side, loader, options);
    },
  });
  if (options.profile !== undefined)
    await profiled({ name: 'catch-up', folder: options.profile, tell: options.tell }, async (profiling, during) => {
      await using side = await startAccept(profiling);
      await catchUp(side, loader, { ...options, around: (work) => during(side.pid, work) });
    });
  const cost = {
    sustained: sideCost(
      'to the table',
      rounds.map(({ sustained }) => sustained),
    ),
    caughtUp: sideCost(
      'catching up',
      rounds.map(({ caughtUp }) => caughtUp),
    ),
  };
  return {
    figures: [
      figureOf(spreadOf(rounds.map(({ caughtUp, sustained }) => caughtUp.perSecond / sustained.perSecond)), {
        what: `catch-up of ${options.events.toLocaleString('en')} events: rows/s, times the sustained rate to the table`,
        digits: 1,
        floor: '3',
        goal: '6',
        sides: `${rate(cost.caughtUp.perSecond.median, 'rows')} of ${rate(cost.sustained.perSecond.median, 'rows')}; ${median(rounds.map(({ anonymousMb }) => anonymousMb)).toFixed(0)} MB`,
      }),
    ],
    costs: [cost.sustained, cost.caughtUp],
  };
}

type CaughtUp = Pick<Round, 'caughtUp' | 'anonymousMb'>;
type Around = (work: () => Promise<CaughtUp>) => Promise<CaughtUp>;

async function catchUp(
  { product, pid }: AcceptSide,
  loader: Loader,
  { around = (work) => work(), ...options }: BenchOptions & { readonly around?: Around },
): Promise<CaughtUp> {
  const { api } = product;
  const url = await makeSource(api, 'backlog');
  const settings = [{ key: 'log.retention.size', value: '1TB' }];
  await api.call('PATCH', '/v1/branches/default/sources/backlog/settings', { settings });
  let events = 0;
  while (events < options.events) {
    // A second brings some hundred thousand, and the last one about as many as are missing.
    const seconds = Math.max(0.2, Math.min(1, (options.events - events) / 150_000));
    const { events: sent } = await measureSide({ pid, url }, loader, { ...batchLoad(options), seconds });
    events += sent;
    options.tell(`backlog: ${events.toLocaleString('en')} events of ${batch.length / linesPerBatch} B`);
  }
  const sink = new Sink(api, 'backlog');
  return await around(async () => {
    const memory = watchMemory(pid);
    const before = await readProcessorTime(pid);
    const began = performance.now();
    await sink.make('earliest');
    await sink.flush();
    const perSecond = events / ((performance.now() - began) / 1000);
    const used = timeBetween(before, await readProcessorTime(pid));
    const { anonymousMb } = memory.stop();
    const rows = await sink.rows();
    if (rows !== events) throw new Error(`the backlog had ${events} events, the table has ${rows} rows`);
    return {
      caughtUp: {
        events,
        acceptedPerSecond: 0,
        perSecond,
        used,
        microseconds: totalOf(used.all) / events,
        loaderShare: 0,
        latencyMs: { p50: 0, p99: 0 },
      },
      anonymousMb,
    };
  });
}
