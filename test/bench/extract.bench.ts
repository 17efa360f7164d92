import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { parseConfig } from '../../src/config/config.ts';
import { extract } from '../../src/runtime/extract/extract.ts';
import type { Bench } from './bench.ts';
import { rate } from './rate.ts';

export interface ExtractBenchOptions {
  readonly items: number;
  readonly rounds: number;
}

export interface ExtractBench {
  readonly items: number;
  readonly perSecond: number;
  /** Fetched and parsed, nothing stored. */
  readonly readPerSecond: number;
  readonly share: number;
  /** The most that the process grew by while it extracted, MB. */
  readonly grewMb: number;
}

const limit = 1000;

/**
 * Items from an API in a process of its own to the files of their table, and the same pages fetched and parsed alone, in turns; the best
 * of each.
 */
export async function benchExtract({ items, rounds }: ExtractBenchOptions): Promise<ExtractBench> {
  const script = new URL('extract-api.ts', import.meta.url).pathname;
  const server = spawn(process.execPath, [script, String(items)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const folder = await mkdtemp(join(tmpdir(), 'millrace-bench-'));
  try {
    const [port] = (await once(createInterface({ input: server.stdout }), 'line')) as [string];
    const base = `http://127.0.0.1:${port}/`;
    await read(base, items);
    let [best, bestRead, grewMb] = [0, 0, 0];
    for (let round = 0; round < rounds; round++) {
      const rss = process.memoryUsage().rss;
      const look = (): void => void (grewMb = Math.max(grewMb, (process.memoryUsage().rss - rss) / 1024 ** 2));
      best = Math.max(
        best,
        items / (await seconds(() => store({ baseUrl: base, items, out: join(folder, 'out'), onProgress: look }))),
      );
      bestRead = Math.max(bestRead, items / (await seconds(() => read(base, items))));
    }
    return { items, perSecond: best, readPerSecond: bestRead, share: best / bestRead, grewMb };
  } finally {
    server.kill();
    await rm(folder, { recursive: true, force: true });
  }
}

async function seconds(work: () => Promise<void>): Promise<number> {
  const began = performance.now();
  await work();
  return (performance.now() - began) / 1000;
}

async function read(base: string, items: number): Promise<void> {
  let count = 0;
  for (let offset = 0, length = limit; length === limit; offset += limit) {
    const answer = await fetch(`${base}items?limit=${limit}&offset=${offset}`);
    ({ length } = JSON.parse(await answer.text()) as readonly unknown[]);
    count += length;
  }
  if (count !== items) throw new Error(`${count} of ${items} items were read`);
}

interface Stored {
  readonly baseUrl: string;
  readonly items: number;
  readonly out: string;
  readonly onProgress: () => void;
}

async function store({ baseUrl, items, out, onProgress }: Stored): Promise<void> {
  const api = { baseUrl, pagination: { method: 'offset', limit } };
  const configuration = { parameters: { api, config: { outputBucket: 'b', jobs: [{ endpoint: 'items' }] } } };
  const config = parseConfig({ MILLRACE_EXTRACTOR_ALLOWED_HOSTS: '127.0.0.1' }, tmpdir());
  const tell = (): undefined => undefined;
  const end = await extract(
    { configuration, config, tell, onProgress, out, state: undefined },
    new AbortController().signal,
  );
  if (end.kind !== 'done') throw new Error(end.message);
  if (end.tables[0]?.rows !== items) throw new Error(`${end.tables[0]?.rows} of ${items} items were stored`);
}

export const extractBench: Bench = {
  meaning: 'items of an API (--events) to the files of their table, beside fetching and parsing alone',
  usual: { rounds: 3, events: 1_000_000 },
  run: async ({ events, rounds }) => {
    const { share, perSecond, readPerSecond, grewMb } = await benchExtract({ items: events, rounds });
    return {
      figures: [
        {
          what: 'extract: items of an API to the files of their table, share of fetching and parsing the same pages',
          measured: share.toFixed(2),
          floor: '0.5',
          goal: '0.7',
          sides: `${rate(perSecond, 'items')} of ${rate(readPerSecond, 'items')}; the process grew by ${grewMb.toFixed(0)} MB`,
        },
      ],
    };
  },
};
