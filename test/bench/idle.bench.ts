import { processUsage, startBenchProcess } from './bench-process.ts';

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
  await using bench = await startBenchProcess();
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
  bench.product.kill('SIGTERM');
  await bench.product.ended;
  const began = performance.now();
  await using again = await startBenchProcess(folder);
  const readySeconds = (performance.now() - began) / 1000;
  await new Promise((resolve) => setTimeout(resolve, 5000));
  const pid = again.product.child.pid ?? 0;
  const before = await processUsage(pid);
  await new Promise((resolve) => setTimeout(resolve, watchMs));
  const after = await processUsage(pid);
  return {
    sinks: sources * sinksPerSource,
    cpuShare: (after.cpuSeconds - before.cpuSeconds) / (watchMs / 1000),
    anonymousMb: after.anonymousMb,
    residentMb: after.residentMb,
    readySeconds,
  };
}

if (import.meta.main) console.log(await benchIdle({ sources: 100, sinksPerSource: 10, watchMs: 15_000 }));
