import { rm } from 'node:fs/promises';
import { startBenchProcess } from './bench-process.ts';
import { rawPost, runHttpLoad } from './http-load.ts';

export interface StartBenchOptions {
  /** At least so many records are in the log at the second start. */
  readonly records: number;
}

export interface StartBenchResult {
  readonly emptySeconds: number;
  readonly records: number;
  readonly filledSeconds: number;
}

/** From the start of the process to its ready line: an empty data folder, and one whose log holds many records. */
export async function benchStart({ records }: StartBenchOptions): Promise<StartBenchResult> {
  let folder = '';
  let stored = 0;
  const emptyBegan = performance.now();
  const filled = await startBenchProcess();
  const emptySeconds = (performance.now() - emptyBegan) / 1000;
  try {
    folder = filled.folder;
    const { api, product } = filled;
    await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'Bench' });
    const { http } = await api.call<{ http: { url: string } }>('GET', '/v1/branches/default/sources/bench');
    const url = new URL(http.url);
    const lines = Buffer.from('{"some":"event"}\n'.repeat(1000));
    const request = rawPost(url.pathname, lines, ['Content-Type', 'application/x-ndjson']);
    while (stored < records) {
      const load = { host: '127.0.0.1', port: Number(url.port), connections: 4, request, durationMs: 500, warmUpMs: 0 };
      stored += (await runHttpLoad(load)).answers * 1000;
    }
    product.kill('SIGTERM');
    await product.ended;
    const filledBegan = performance.now();
    await using _again = await startBenchProcess(folder);
    return { emptySeconds, records: stored, filledSeconds: (performance.now() - filledBegan) / 1000 };
  } finally {
    filled.product.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

if (import.meta.main) console.log(await benchStart({ records: 1_000_000 }));
