import { listenBare } from './bare-server.ts';
import { startBenchProcess, watchMemory, type BenchProcess } from './bench-process.ts';
import { rawPost, runHttpLoad } from './http-load.ts';

export interface PipelineBenchOptions {
  readonly durationMs: number;
  readonly connections: number;
}

export interface PipelineBenchResult {
  /** A bare server in its own turn, requests/s. */
  readonly barePerSecond: number;
  /** Events accepted while the load ran, events/s. */
  readonly acceptedPerSecond: number;
  /** Events in the table, over the time from the first request to the last row in the table, events/s. */
  readonly deliveredPerSecond: number;
  readonly deliveredShare: number;
  /** Highest while the load ran, MB. */
  readonly anonymousMb: number;
  readonly residentMb: number;
}

const event = JSON.stringify({
  id: 1234567,
  action: 'opened',
  repository: { full_name: 'millrace/millrace', private: false },
  sender: { login: 'somebody', id: 42 },
  title: 'A title of ordinary length',
  text: 'x'.repeat(780),
});

const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'datetime', name: 'received' },
  { type: 'ip', name: 'ip' },
  { type: 'path', name: 'action', path: 'action', rawString: true },
  { type: 'path', name: 'repository', path: 'repository.full_name', rawString: true },
  { type: 'path', name: 'sender', path: 'sender.login', rawString: true },
];

/** Accept to row in the table, one process, one sink of six columns, sustained, as `docs/benchmarks.md` shows it. */
export async function benchPipeline(options: PipelineBenchOptions): Promise<PipelineBenchResult> {
  const { durationMs, connections } = options;
  const path = '/stream/1/bench/x';
  const bare = await (async () => {
    await using server = await listenBare();
    const request = rawPost(path, Buffer.from(event), ['Content-Type', 'application/json']);
    return await runHttpLoad({
      host: '127.0.0.1',
      port: server.port,
      connections,
      request,
      durationMs: durationMs / 2,
      warmUpMs: 500,
    });
  })();
  await using bench = await startBenchProcess();
  const url = new URL(await prepare(bench));
  const request = rawPost(url.pathname, Buffer.from(event), ['Content-Type', 'application/json']);
  const memory = watchMemory(bench.product.child.pid ?? 0);
  const began = performance.now();
  const load = await runHttpLoad({
    host: '127.0.0.1',
    port: Number(url.port),
    connections,
    request,
    durationMs,
    warmUpMs: 0,
  });
  if (load.failures > 0) throw new Error(`${load.failures} requests of the bench failed`);
  await bench.api.task('POST', '/v1/branches/default/sources/bench/sinks/sink/flush');
  const seconds = (performance.now() - began) / 1000;
  const { anonymousMb, residentMb } = memory.stop();
  const table = await bench.api.call<{ rowsCount: number }>('GET', '/v2/storage/tables/in.c-bench.events');
  if (table.rowsCount < load.answers)
    throw new Error(`${load.answers} events were acknowledged, the table has ${table.rowsCount} rows`);
  const deliveredPerSecond = table.rowsCount / seconds;
  return {
    barePerSecond: bare.perSecond,
    acceptedPerSecond: load.perSecond,
    deliveredPerSecond,
    deliveredShare: deliveredPerSecond / bare.perSecond,
    anonymousMb,
    residentMb,
  };
}

async function prepare({ api }: BenchProcess): Promise<string> {
  await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'Bench' });
  const table = { type: 'keboola', tableId: 'in.c-bench.events', mapping: { columns } };
  await api.task('POST', '/v1/branches/default/sources/bench/sinks', { type: 'table', name: 'Sink', table });
  const { http } = await api.call<{ http: { url: string } }>('GET', '/v1/branches/default/sources/bench');
  return http.url;
}

if (import.meta.main) console.log(await benchPipeline({ durationMs: 10_000, connections: 64 }));
