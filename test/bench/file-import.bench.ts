import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { benchToken, startProduct } from './sides/product.ts';
import type { Bench } from './bench.ts';

export interface FileImportBenchOptions {
  readonly bytes: number;
  /** Events a second that are sent meanwhile. */
  readonly perSecond: number;
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly most: number;
}

export interface FileImportBench {
  readonly bytes: number;
  readonly rows: number;
  /** From the request for the load to its end. */
  readonly seconds: number;
  /** Of an event of 1 KB that is accepted, milliseconds: while nothing else happens, and while the file is loaded. */
  readonly alone: Latency;
  readonly meanwhile: Latency;
}

/** What the load of a large CSV costs those who send events meanwhile, as `docs/benchmarks.md` shows it. */
export async function benchFileImport({ bytes, perSecond }: FileImportBenchOptions): Promise<FileImportBench> {
  await using bench = await startProduct();
  const { api, process: product } = bench;
  await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'bench' });
  const { http } = await api.call<{ http: { url: string } }>('GET', '/v1/branches/default/sources/bench');
  const { id } = await api.call<{ id: number }>('POST', '/v2/storage/files/prepare', { name: 'large.csv' });
  await upload(`${product.admin}/v2/storage/files/${id}/content`, bytes);
  // Warm, and while nothing else happens.
  await sendFor(http.url, perSecond, pause(2000));
  const alone = await sendFor(http.url, perSecond, pause(8000));
  const began = performance.now();
  const { id: jobId } = await api.call<{ id: number }>('POST', '/v2/storage/buckets/in.c-bench/tables-async', {
    name: 'large',
    dataFileId: id,
  });
  const ended = (async () => {
    for (;;) {
      await pause(100);
      const job = await api.call<{ status: string; results?: { totalRowsCount: number } }>(
        'GET',
        `/v2/storage/jobs/${jobId}`,
      );
      if (job.status === 'success') return job.results?.totalRowsCount ?? 0;
      if (job.status === 'error') throw new Error(JSON.stringify(job));
    }
  })();
  const meanwhile = await sendFor(http.url, perSecond, ended);
  return { bytes, rows: await ended, seconds: (performance.now() - began) / 1000, alone, meanwhile };
}

async function upload(url: string, bytes: number): Promise<void> {
  const sending = httpRequest(url, { method: 'PUT', headers: { 'X-StorageApi-Token': benchToken } });
  const answered = once(sending, 'response') as Promise<[IncomingMessage]>;
  await pipeline(csvOf(bytes), sending);
  const [answer] = await answered;
  if (answer.statusCode !== 200) throw new Error(`the upload was answered ${answer.statusCode}: ${await text(answer)}`);
  answer.resume();
}

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

/** Rows of eight cells, one of them enclosed. */
function* csvOf(bytes: number): Generator<Buffer> {
  yield Buffer.from('id,name,note,amount,country,created,updated,more\n');
  let sent = 0;
  for (let row = 0; sent < bytes;) {
    let lines = '';
    for (; lines.length < 64 * 1024; row += 1)
      lines += `${row},name ${row % 1000},"a ""note"" of it, and more",${(row % 100_000) / 100},CZ,2026-11-26T03:00:00Z,2026-11-26T04:00:00Z,${'x'.repeat(row % 40)}\n`;
    const chunk = Buffer.from(lines);
    sent += chunk.length;
    yield chunk;
  }
}

/** Sends events evenly until something has ended, whether those before have their answers or not. */
async function sendFor(url: string, perSecond: number, until: Promise<unknown>): Promise<Latency> {
  const body = JSON.stringify({ text: 'x'.repeat(1000) });
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const took: number[] = [];
  const open = new Set<Promise<void>>();
  const over = new AbortController();
  void until.finally(() => over.abort()).catch(() => undefined);
  const began = performance.now();
  for (let sent = 0; !over.signal.aborted;) {
    for (; sent < ((performance.now() - began) * perSecond) / 1000; sent += 1) {
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      const at = performance.now();
      const asked = httpRequest(
        url,
        { method: 'POST', agent, headers: { 'Content-Type': 'application/json' } },
        (answer) => {
          answer.resume().once('end', () => {
            took.push(performance.now() - at);
            if (answer.statusCode !== 200) reject(new Error(`an event was answered ${answer.statusCode}`));
            else resolve();
          });
        },
      );
      asked.once('error', reject).end(body);
      const done = promise.finally(() => open.delete(done));
      open.add(done);
    }
    await pause(2);
  }
  await Promise.all(open);
  agent.destroy();
  took.sort((a, b) => a - b);
  const at = (share: number): number => took[Math.min(took.length - 1, Math.floor(took.length * share))] ?? 0;
  return { p50: at(0.5), p99: at(0.99), most: at(1) };
}

export const fileImportBench: Bench = {
  meaning: 'what a file of 200 MB that is imported costs those who send 200 events a second meanwhile',
  usual: {},
  run: async () => {
    const { bytes, rows, seconds, alone, meanwhile } = await benchFileImport({ bytes: 200_000_000, perSecond: 200 });
    const latency = ({ p50, p99, most }: Latency): string =>
      `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(0)} ms, most ${most.toFixed(0)} ms`;
    return {
      figures: [
        {
          what: `an event's answer while a CSV of ${(bytes / 1e6).toFixed(0)} MB is imported (${(rows / 1e6).toFixed(1)} million rows, ${seconds.toFixed(1)} s)`,
          measured: latency(meanwhile),
          floor: '–',
          goal: '–',
          sides: `without it: ${latency(alone)}`,
        },
      ],
    };
  },
};
