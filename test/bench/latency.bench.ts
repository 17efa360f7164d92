import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf } from './figure.ts';
import { startLoader } from './load/http-load.ts';
import { inTurns } from './rounds.ts';
import { startBare } from './sides/bare.ts';
import { singleLoad } from './sides/loads.ts';
import { measureSide, warmUp, type Measured } from './sides/loaded-side.ts';
import { startAccept } from './sides/source.ts';
import { median, spreadOf, spreadText } from './statistics.ts';

interface Syncs {
  readonly p50: number;
  readonly p99: number;
}

interface Round {
  readonly disk: Syncs;
  readonly bare: Measured;
  readonly accept: Measured;
}

/** How long a sender waits at a tenth of the load, beside how long the disk takes to sync a page, on the same file system, and how
 * long one waits for a bare server that syncs nothing. */
export const latencyBench: Bench = {
  meaning: "p99 of accept at a tenth of the load, over the p99 of the disk's own fdatasync",
  usual: { rounds: 10, seconds: 4 },
  run: benchLatency,
};

async function benchLatency(options: BenchOptions): Promise<BenchResult> {
  await using loader = startLoader();
  await using side = await startAccept();
  await using bareSide = await startBare();
  const load = singleLoad(options);
  await warmUp(bareSide, loader, load);
  await warmUp(side, loader, load);
  const most = (await measureSide(side, loader, load)).perSecond;
  const perSecond = Math.round(most / 10);
  options.tell(`a tenth of ${most.toFixed(0)} events/s`);
  const rounds = await inTurns<Round>(options, {
    disk: async () => ({ disk: await syncs(side.product.folder, options.seconds, perSecond) }),
    bare: async () => ({ bare: await measureSide(bareSide, loader, { ...load, perSecond }) }),
    accept: async () => ({ accept: await measureSide(side, loader, { ...load, perSecond }) }),
  });
  const disk = {
    p50: median(rounds.map((round) => round.disk.p50)),
    p99: spreadOf(rounds.map((round) => round.disk.p99)),
  };
  const bare = spreadOf(rounds.map((round) => round.bare.latencyMs.p99));
  const accept = {
    p50: median(rounds.map((round) => round.accept.latencyMs.p50)),
    p99: spreadOf(rounds.map((round) => round.accept.latencyMs.p99)),
  };
  return {
    figures: [
      figureOf(spreadOf(rounds.map((round) => round.accept.latencyMs.p99 / round.disk.p99)), {
        what: "p99 of accept at a tenth of the load, over that of the disk's own `fdatasync`",
        floor: '2',
        goal: '1.3',
        sides: `${spreadText(accept.p99, 2)} ms of ${spreadText(disk.p99, 2)} ms; p50 ${accept.p50.toFixed(2)} ms of ${disk.p50.toFixed(2)} ms; at ${perSecond} events/s`,
      }),
      figureOf(
        spreadOf(rounds.map((round) => round.accept.latencyMs.p99 / (round.bare.latencyMs.p99 + round.disk.p99))),
        {
          what: 'the same, over that of a bare server at the same rate and one such `fdatasync`',
          floor: '–',
          goal: '–',
          sides: `${spreadText(accept.p99, 2)} ms of ${spreadText(bare, 2)} ms and ${spreadText(disk.p99, 2)} ms`,
        },
      ),
    ],
  };
}

/** As often as events come, so that the disk has the same pauses. */
async function syncs(folder: string, seconds: number, perSecond: number): Promise<Syncs> {
  const script = fileURLToPath(new URL('sides/disk-syncs.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [script, folder, String(seconds), String(perSecond)]);
  return JSON.parse(stdout) as Syncs;
}
