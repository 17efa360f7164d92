import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { figureOf } from './figure.ts';
import { startLoader } from './load/http-load.ts';
import { watchMemory, type Memory } from './memory.ts';
import { inTurns } from './rounds.ts';
import { singleLoad } from './sides/loads.ts';
import { measureSide } from './sides/loaded-side.ts';
import { startToTable } from './sides/source.ts';
import { median, spreadOf } from './statistics.ts';

interface Round {
  readonly memory: Memory;
  readonly events: number;
}

/** The most that the process has while it takes all that it can, to the table. */
export const memoryBench: Bench = {
  meaning: 'the most that the process holds for itself under the load of to-table',
  usual: { rounds: 3, seconds: 20 },
  run: benchMemory,
};

async function benchMemory(options: BenchOptions): Promise<BenchResult> {
  await using loader = startLoader();
  const rounds = await inTurns<Round>(options, {
    product: async () => {
      await using side = await startToTable();
      const watch = watchMemory(side.pid);
      const { events } = await measureSide(side, loader, { ...singleLoad(options), finish: () => side.sink.flush() });
      return { memory: watch.stop(), events };
    },
  });
  const resident = median(rounds.map(({ memory }) => memory.residentMb));
  const events = median(rounds.map((round) => round.events));
  return {
    figures: [
      figureOf(spreadOf(rounds.map(({ memory }) => memory.anonymousMb)), {
        what: 'memory of the process under the load to the table',
        digits: 0,
        unit: ' MB',
        floor: '350 MB',
        goal: '250 MB',
        sides: `${(events / 1000).toFixed(0)} k events; resident with the pages of the log: ${resident.toFixed(0)} MB`,
      }),
    ],
  };
}
