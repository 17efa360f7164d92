import { createReadStream, mkdirSync, openSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { runExtraction } from '../../src/extractor/run-extraction.ts';
import type { Spool } from '../../src/extractor/tables/spool.ts';
import type { HttpAnswer, HttpClient } from '../../src/ports/http-client.ts';

/*
 * A process that extracts many items, and prints by how many bytes it grew over what it had before, and what it counted:
 * node extraction-process.ts FOLDER ITEMS BYTES-OF-AN-ITEM
 */
const [folder = '', items = '0', bytes = '0'] = process.argv.slice(2);
const count = Number(items);
const padding = 'x'.repeat(Number(bytes));
mkdirSync(folder, { recursive: true });

const files = new Map<string, number>();
const spool: Spool = {
  append: (name, piece) => {
    const file = files.get(name) ?? openSync(join(folder, name), 'w');
    files.set(name, file);
    if (typeof piece === 'string') writeSync(file, piece);
    else writeSync(file, piece);
  },
  async *read(name) {
    if (files.has(name)) yield* createReadStream(join(folder, name)) as AsyncIterable<Uint8Array>;
  },
};

function page(from: number): Uint8Array {
  const length = Math.max(0, Math.min(1000, count - from));
  const page = Array.from({ length }, (_, at) => ({ id: from + at, text: padding, tags: ['a', 'b'], in: { x: 1.5 } }));
  return Buffer.from(JSON.stringify(page));
}

const http: HttpClient & AsyncDisposable = {
  send: ({ url }): Promise<HttpAnswer> => {
    const body = page(Number(new URL(url).searchParams.get('offset')));
    return Promise.resolve({ status: 200, headers: {}, body, url });
  },
  [Symbol.asyncDispose]: () => Promise.resolve(),
};

const before = process.memoryUsage().rss;
let most = before;
const look = (): void => void (most = Math.max(most, process.memoryUsage().rss));
const { tables } = await runExtraction(
  {
    configuration: {
      parameters: {
        api: { baseUrl: 'http://api/', pagination: { method: 'offset', limit: 1000 } },
        config: { jobs: [{ endpoint: 'users' }] },
      },
    },
    openHttp: () => http,
    clock: { now: () => Date.now(), monotonic: () => performance.now(), sleep: () => Promise.resolve() },
    random: () => 0.5,
    log: { debug: () => undefined, info: () => undefined, warning: () => undefined },
    spool,
    onProgress: look,
  },
  { signal: new AbortController().signal },
);
const counted: Record<string, number> = {};
for (const { fileName, csv } of tables) {
  let lines = 0;
  for await (const piece of csv()) {
    lines += Buffer.from(piece).toString().split('\n').length - 1;
    look();
  }
  counted[fileName] = lines;
}
console.log(JSON.stringify({ grewBytes: most - before, counted }));
