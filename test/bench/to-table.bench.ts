import { measureBare } from './accept.bench.ts';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf } from './figure.ts';
import { startLoader, type Loader } from './load/http-load.ts';
import { profiled } from './profile/profiled.ts';
import { rate } from './rate.ts';
import { inTurns } from './rounds.ts';
import { sideCost } from './side-cost.ts';
import { singleLoad } from './sides/loads.ts';
import { measureSide, warmUp, type LoadOptions, type Measured } from './sides/loaded-side.ts';
import { startToTable, type TableSide } from './sides/source.ts';
import { spreadOf } from './statistics.ts';

interface Round {
  readonly bare: Measured;
  readonly single: Measured;
}

/** From the first request to the last row in the table: one process, one sink of six columns. */
export const toTableBench: Bench = {
  meaning: 'accept, map, stage and import until the last row is in the table of six columns; beside the bare server',
  usual: { rounds: 10, seconds: 5 },
  run: benchToTable,
};

async function benchToTable(options: BenchOptions): Promise<BenchResult> {
  await using loader = startLoader();
  const rounds = await inTurns<Round>(options, {
    bare: async () => ({ bare: await measureBare(loader, options) }),
    product: async () => {
      await using side = await startToTable();
      return { single: await measureToTable(side, loader, singleLoad(options)) };
    },
  });
  if (options.profile !== undefined)
    await profiled({ name: 'to-table', folder: options.profile, tell: options.tell }, async (profiling, during) => {
      await using side = await startToTable(profiling);
      await measureToTable(side, loader, { ...singleLoad(options), around: (measure) => during(side.pid, measure) });
    });
  const cost = {
    bare: sideCost(
      'bare',
      rounds.map(({ bare }) => bare),
    ),
    single: sideCost(
      'to the table',
      rounds.map(({ single }) => single),
    ),
  };
  return {
    figures: [
      figureOf(spreadOf(rounds.map(({ single, bare }) => single.microseconds / bare.microseconds)), {
        what: 'an event of 785 B to its row in the table: processor time, times a bare `node:http` server',
        floor: '2.3',
        goal: '1.8',
        sides: `${cost.single.microseconds.median.toFixed(1)} µs of ${cost.bare.microseconds.median.toFixed(1)} µs`,
      }),
      figureOf(spreadOf(rounds.map(({ single, bare }) => single.perSecond / bare.perSecond)), {
        what: 'the same, rate until the last row is in the table, share of the bare server',
        floor: '0.25',
        goal: '0.4',
        sides: `${rate(cost.single.perSecond.median, 'rows')} of ${rate(cost.bare.perSecond.median, 'requests')}`,
      }),
    ],
    costs: [cost.bare, cost.single],
  };
}

type Around = (measure: () => Promise<Measured>) => Promise<Measured>;

/** Warms a side up, then measures it until all rows are there; rejects when the table has others than were acknowledged. */
export async function measureToTable(
  { sink, ...side }: Pick<TableSide, 'pid' | 'url' | 'sink'>,
  loader: Loader,
  { around = (measure) => measure(), ...load }: LoadOptions & { readonly around?: Around },
): Promise<Measured> {
  const finish = (): Promise<void> => sink.flush();
  await warmUp(side, loader, { ...load, finish });
  const before = await sink.rows();
  const measured = await around(() => measureSide(side, loader, { ...load, finish }));
  const rows = (await sink.rows()) - before;
  if (rows !== measured.events)
    throw new Error(`${measured.events} events were acknowledged, ${rows} rows came into the table`);
  return measured;
}
