import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf } from './figure.ts';
import { startLoader, type Loader } from './load/http-load.ts';
import { profiled } from './profile/profiled.ts';
import { rate } from './rate.ts';
import { inTurns } from './rounds.ts';
import { sideCost } from './side-cost.ts';
import { startBare } from './sides/bare.ts';
import { batchLoad, singleLoad } from './sides/loads.ts';
import { measureSide, warmUp, type Measured } from './sides/loaded-side.ts';
import { startAccept } from './sides/source.ts';
import { spreadOf } from './statistics.ts';

interface Round {
  readonly bare: Measured;
  readonly single: Measured;
  readonly batches: Measured;
}

/** The process as `npm start` starts it, with a source and no sink, beside the bare server. */
export const acceptBench: Bench = {
  meaning: 'one event a request, and batches of 100: durable before the answer; beside a bare node:http server',
  usual: { rounds: 10, seconds: 3 },
  run: benchAccept,
};

async function benchAccept(options: BenchOptions): Promise<BenchResult> {
  await using loader = startLoader();
  const rounds = await inTurns<Round>(options, {
    bare: async () => ({ bare: await measureBare(loader, options) }),
    product: () => measureAccept(loader, options),
  });
  if (options.profile !== undefined) await profileAccept(loader, options, options.profile);
  const cost = {
    bare: sideCost(
      'bare',
      rounds.map(({ bare }) => bare),
    ),
    single: sideCost(
      'accept',
      rounds.map(({ single }) => single),
    ),
    batches: sideCost(
      'accept, batches',
      rounds.map(({ batches }) => batches),
    ),
  };
  return {
    figures: [
      figureOf(spreadOf(rounds.map(({ single, bare }) => single.microseconds / bare.microseconds)), {
        what: 'accept one event of 785 B a request, durable: processor time, times a bare `node:http` server',
        floor: '1.7',
        goal: '1.4',
        sides: `${cost.single.microseconds.median.toFixed(1)} µs of ${cost.bare.microseconds.median.toFixed(1)} µs`,
      }),
      figureOf(spreadOf(rounds.map(({ single, bare }) => single.perSecond / bare.perSecond)), {
        what: 'the same, rate, share of the bare server',
        floor: '0.4',
        goal: '0.6',
        sides: `${rate(cost.single.perSecond.median, 'events')} of ${rate(cost.bare.perSecond.median, 'requests')}`,
      }),
      figureOf(spreadOf(rounds.map(({ single, batches }) => batches.perSecond / single.perSecond)), {
        what: 'accept batches of 100 lines: events/s, times the single rate',
        digits: 1,
        floor: '10',
        goal: '15',
        sides: `${rate(cost.batches.perSecond.median, 'events')} of ${rate(cost.single.perSecond.median, 'events')}`,
      }),
      figureOf(spreadOf(rounds.map(({ single, batches }) => single.microseconds / batches.microseconds)), {
        what: 'the same, processor time of a single event, times that of a line',
        digits: 1,
        floor: '10',
        goal: '15',
        sides: `${cost.single.microseconds.median.toFixed(1)} µs of ${cost.batches.microseconds.median.toFixed(1)} µs`,
      }),
    ],
    costs: [cost.bare, cost.single, cost.batches],
  };
}

/** A fresh bare server, warm. */
export async function measureBare(loader: Loader, options: BenchOptions): Promise<Measured> {
  await using bare = await startBare();
  const load = singleLoad(options);
  await warmUp(bare, loader, load);
  return await measureSide(bare, loader, load);
}

async function measureAccept(loader: Loader, options: BenchOptions): Promise<Pick<Round, 'single' | 'batches'>> {
  const [single, batches] = [singleLoad(options), batchLoad(options)];
  await using side = await startAccept();
  await warmUp(side, loader, single);
  const measured = await measureSide(side, loader, single);
  await warmUp(side, loader, batches);
  return { single: measured, batches: await measureSide(side, loader, batches) };
}

async function profileAccept(loader: Loader, options: BenchOptions, folder: string): Promise<void> {
  const loads = { accept: singleLoad(options), 'accept-batches': batchLoad(options) };
  for (const [name, load] of Object.entries(loads))
    await profiled({ name, folder, tell: options.tell }, async (profiling, during) => {
      await using side = await startAccept(profiling);
      await warmUp(side, loader, load);
      await during(side.pid, () => measureSide(side, loader, load));
    });
}
