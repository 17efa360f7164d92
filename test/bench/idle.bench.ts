import { readMemory } from './memory.ts';
import { readProcessorTime, timeBetween, totalOf } from './processor-time.ts';
import { startProduct } from './sides/product.ts';
import type { Bench } from './bench.ts';

export interface IdleBenchOptions {
  readonly sources: number;
  readonly sinksPerSource: number;
  readonly watchMs: number;
}

export interface IdleBenchResult {
  readonly sinks: number;
  /** Share of one processor while nothing happens. */
  readonly cpuShare: number;
  readonly anonymousMb: number;
  readonly residentMb: number;
  /** Of a start that finds all of them. */
  readonly readySeconds: number;
}

/** What many sinks cost while no event comes, as `docs/benchmarks.md` shows it. */
export async function benchIdle({ sources, sinksPerSource, watchMs }: IdleBenchOptions): Promise<IdleBenchResult> {
  await using bench = await startProduct();
  const { api, folder } = bench;
  for (let source = 1; source <= sources; source += 1) {
    await api.task('POST', '/v1/branches/default/sources', {
      type: 'http',
      name: `S${source}`,
      sourceId: `s${source}`,
    });
    const sinks = Array.from({ length: sinksPerSource }, (_, index) => {
      const columns = [
        { type: 'uuid', name: 'id' },
        { type: 'path', name: 'n', path: 'n', defaultValue: '' },
      ];
      const table = { type: 'keboola', tableId: `in.c-idle.t${source}-${index}`, mapping: { columns } };
      return api.task('POST', `/v1/branches/default/sources/s${source}/sinks`, {
        type: 'table',
        name: `K${index}`,
        table,
      });
    });
    await Promise.all(sinks);
  }
  bench.process.kill('SIGTERM');
  await bench.process.ended;
  const began = performance.now();
  await using again = await startProduct({ folder });
  const readySeconds = (performance.now() - began) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const { pid } = again;
  const before = await readProcessorTime(pid);
  await new Promise((resolve) => setTimeout(resolve, watchMs));
  const used = timeBetween(before, await readProcessorTime(pid));
  const { anonymousMb, residentMb } = await readMemory(pid);
  return {
    sinks: sources * sinksPerSource,
    cpuShare: totalOf(used.all) / 1000 / watchMs,
    anonymousMb,
    residentMb,
    readySeconds,
  };
}

export const idleBench: Bench = {
  meaning: 'a hundred sources with ten sinks each while no event comes',
  usual: { seconds: 20 },
  run: async ({ seconds }) => {
    const idle = await benchIdle({ sources: 100, sinksPerSource: 10, watchMs: seconds * 1000 });
    return {
      figures: [
        {
          what: `${idle.sinks} sinks, idle: processor, memory`,
          measured: `${(idle.cpuShare * 100).toFixed(1)} %, ${idle.anonymousMb.toFixed(0)} MB`,
          floor: '3 %, 300 MB',
          goal: '1 %, 200 MB',
          sides: `ready in ${idle.readySeconds.toFixed(1)} s`,
        },
      ],
    };
  },
};
