/** `npm run sizing`: processor time and bytes of an event, and what that makes of a machine; `--write` puts it into the guide. */
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dataFolder } from '../../src/runtime/embedded/data-folder.ts';
import { eventually } from '../support/eventually.ts';
import { scriptOptions } from '../support/script-options.ts';
import { machine } from './machine.ts';
import { watchMemory } from './memory.ts';
import { readProcessorTime, timeBetween, totalOf } from './processor-time.ts';
import { startProduct, type Product } from './sides/product.ts';
import { sizingPage, type EventCosts, type SizingResult } from './sizing-page.ts';

/** About a kilobyte, as a webhook is. */
function eventAt(n: number): object {
  const sender = { login: `user-${n % 977}`, id: (n * 7919) % 100_003 };
  const words = Array.from({ length: 150 }, (_, at) => ((n + 1) * (at + 31) * 2_654_435_761) % 99_991);
  return { id: n, action: 'opened', repository: { full_name: `shop/part-${n % 53}` }, sender, text: words.join(' ') };
}

const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'datetime', name: 'received' },
  { type: 'path', name: 'action', path: 'action', rawString: true },
  { type: 'path', name: 'repository', path: 'repository.full_name', rawString: true },
  { type: 'path', name: 'sender', path: 'sender.login', rawString: true },
  { type: 'path', name: 'text', path: 'text', rawString: true },
];

const atOnce = 32;
const warmUp = 1000;

export interface SizingOptions {
  /** Of each kind of request. */
  readonly events: number;
}

/** Measures one process: events one a request, a hundred a request, and while the table is away. */
export async function measureSizes({ events }: SizingOptions): Promise<SizingResult> {
  await using bench = await startProduct();
  const url = await prepare(bench);
  const memory = watchMemory(bench.pid);
  const empty = await sizesOf(bench);
  // What starts once is no event's.
  await send(url, { from: 0, events: warmUp, perRequest: 1 });
  await flush(bench);
  const single = await costsOf(bench, () => send(url, { from: 10_000, events, perRequest: 1 }));
  const batched = await costsOf(bench, () => send(url, { from: 20_000 + events, events, perRequest: 100 }));
  await bench.api.call('DELETE', '/v2/storage/tables/in.c-bench.events?force=true');
  const before = await sizesOf(bench);
  await send(url, { from: 0, events, perRequest: 100 });
  await eventually(
    async () => {
      const progress = await bench.api.call<{ totals: { staged: number } }>('GET', `${sink}/progress`);
      if (progress.totals.staged < events) throw new Error('not all events are staged');
    },
    { withinMs: 300_000, everyMs: 250 },
  );
  const waiting = await sizesOf(bench);
  const { anonymousMb } = memory.stop();
  return {
    events,
    eventBytes: Buffer.byteLength(JSON.stringify(eventAt(events))),
    single,
    batched,
    logBytes: (waiting.sources - empty.sources) / (3 * events + warmUp),
    stagingBytes: (waiting.staging - before.staging) / events,
    catalogMb: waiting.catalog / 1e6,
    sinksMb: waiting.sinks / 1e6,
    memoryMb: anonymousMb,
  };
}

const source = '/v1/branches/default/sources/bench';
const sink = `${source}/sinks/sink`;

async function prepare({ api }: Product): Promise<string> {
  await api.task('POST', '/v1/branches/default/sources', { type: 'http', name: 'Bench' });
  const table = { type: 'keboola', tableId: 'in.c-bench.events', mapping: { columns } };
  await api.task('POST', `${source}/sinks`, { type: 'table', name: 'Sink', table });
  return (await api.call<{ http: { url: string } }>('GET', source)).http.url;
}

async function flush({ api }: Product): Promise<void> {
  await api.task('POST', `${sink}/flush`);
}

interface Sending {
  readonly from: number;
  readonly events: number;
  readonly perRequest: number;
}

async function send(url: string, { from, events, perRequest }: Sending): Promise<void> {
  const type = perRequest === 1 ? 'application/json' : 'application/x-ndjson';
  const post = async (first: number): Promise<void> => {
    const lines = Array.from({ length: Math.min(perRequest, from + events - first) }, (_, at) =>
      JSON.stringify(eventAt(first + at)),
    );
    const answer = await fetch(url, { method: 'POST', headers: { 'Content-Type': type }, body: lines.join('\n') });
    if (!answer.ok) throw new Error(`the product answered ${answer.status}`);
    await answer.arrayBuffer();
  };
  let next = from;
  const sender = async (): Promise<void> => {
    while (next < from + events) {
      const first = next;
      next += perRequest;
      await post(first);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
}

/** Of events that are sent and come into their table: nothing else counts, and neither does what the machine does besides. */
async function costsOf(bench: Product, work: () => Promise<void>): Promise<EventCosts> {
  const [sizes, before, rows] = [await sizesOf(bench), await readProcessorTime(bench.pid), await rowsOf(bench)];
  await work();
  await flush(bench);
  const used = timeBetween(before, await readProcessorTime(bench.pid));
  const events = (await rowsOf(bench)) - rows;
  const after = await sizesOf(bench);
  return {
    processorMicros: totalOf(used.all) / events,
    tableBytes: (after.tables - sizes.tables) / events,
  };
}

async function rowsOf({ api }: Product): Promise<number> {
  return (await api.call<{ rowsCount: number }>('GET', '/v2/storage/tables/in.c-bench.events')).rowsCount;
}

/** Bytes that each store takes on the disk. */
async function sizesOf({ folder }: Product): Promise<StoreSizes> {
  const paths = dataFolder(folder);
  return {
    sources: await sizeOf(paths.sourceLog),
    sinks: await sizeOf(paths.sinkLog),
    tables: (await sizeOf(paths.tables)) + (await sizeOf(`${paths.tables}.wal`)),
    staging: await sizeOf(paths.staging),
    catalog: await sizeOf(paths.catalog),
  };
}

type StoreSizes = Readonly<Record<'sources' | 'sinks' | 'tables' | 'staging' | 'catalog', number>>;

/** Of a file, or of all in a folder, in blocks that are taken. */
async function sizeOf(path: string): Promise<number> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return 0;
  if (!found.isDirectory()) return found.blocks * 512;
  const names = await readdir(path);
  const sizes = await Promise.all(names.map((name) => sizeOf(join(path, name))));
  return sizes.reduce((sum, size) => sum + size, 0);
}

if (import.meta.main) {
  const help = `npm run sizing -- [--events N] [--write]

Measures what an event costs in one process: processor time, and bytes on the disk of each store.

  --events N  so many of each kind of request; default 100000
  --write     puts it into docs/guides/operating.md`;
  const values = scriptOptions(help, {
    events: { type: 'string', default: '100000' },
    write: { type: 'boolean', default: false },
  });
  const result = await measureSizes({ events: Number(values.events) });
  const text = sizingPage(result, await machine(tmpdir()));
  console.log(text);
  if (values.write) {
    const guide = new URL('../../docs/guides/operating.md', import.meta.url);
    const page = await readFile(guide, 'utf8');
    const marks = /(<!-- sizing: npm run sizing -- --write -->\n)[\s\S]*(\n<!-- end of sizing -->)/;
    if (!marks.test(page)) throw new Error('the guide has no place for the sizes');
    await writeFile(
      guide,
      page.replace(marks, (_, begin: string, end: string) => `${begin}\n${text}${end}`),
    );
  }
}
