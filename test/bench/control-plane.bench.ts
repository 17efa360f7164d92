import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import type { Curve } from './curve.ts';
import { startLoader, type Loader } from './load/http-load.ts';
import { readMemory } from './memory.ts';
import { readProcessorTime, timeBetween, totalOf } from './processor-time.ts';
import { event } from './sides/event.ts';
import { measureSide } from './sides/loaded-side.ts';
import { startProduct, type Product } from './sides/product.ts';
import { spreadOf, type Spread } from './statistics.ts';

/** Until what the trickle left is in the tables, by the triggers as they are by default. */
const deliveredMs = 100_000;

/** Where a curve is measured, as far as it is long. */
const marks = [100, 300, 1000, 3000, 10_000] as const;
const sinksPerSource = 2;
/** So many are made one after the other, to know what one takes; the others are made side by side. */
const measured = 10;
const sideBySide = 8;
const trickleSeconds = 15;
const tricklePerSecond = 100;
/** After a start, or after what was made, until everybody has heard of it. */
const settleMs = 5000;

const path = '/v1/branches/default/sources';
const columns = [
  { type: 'uuid', name: 'id' },
  { type: 'path', name: 'n', path: 'n', defaultValue: '' },
];

/** What was found while there were so many sources. */
interface Point {
  readonly sources: number;
  readonly sourceMs: Spread;
  readonly sinkMs: Spread;
  /** Of a source with its sinks, all threads. */
  readonly processorMs: number;
  readonly firstPageMs: Spread;
  readonly lastPageMs: Spread;
  readonly metricsMs: Spread;
  readonly readySeconds: number;
  readonly startProcessorSeconds: number;
  /** Of one processor, percent. */
  readonly idlePercent: number;
  readonly tricklePercent: number;
  readonly anonymousMb: number;
}

interface Run extends BenchOptions {
  readonly loader: Loader;
  readonly folder: string;
}

/** The management of many sources, each with two sinks, in one process. */
export const controlPlaneBench: Bench = {
  meaning: 'curves: what it takes to make, list, start and keep sources with two sinks each, over their number',
  usual: { sources: 300, seconds: 10 },
  run: benchControlPlane,
};

async function benchControlPlane(options: BenchOptions): Promise<BenchResult> {
  await using loader = startLoader();
  const run = { ...options, loader, folder: await mkdtemp(join(tmpdir(), 'control-plane-')) };
  const points: Point[] = [];
  const values = [...marks.filter((mark) => mark < options.sources), options.sources];
  for (const [index, sources] of values.entries()) points.push(await measureAt(sources, values[index - 1] ?? 0, run));
  return { figures: [], curves: curvesOf(points) };
}

/** Makes as many sources as there are to be, starts the process anew, and lets it rest, and then take a little. */
async function measureAt(sources: number, before: number, run: Run): Promise<Point> {
  const env = { MILLRACE_MAX_SOURCES: String(run.sources + 1), MILLRACE_PARTITIONS: '1' };
  const start = (): Promise<Product> => startProduct({ folder: run.folder, env });
  const made = await (async () => {
    await using product = await start();
    return await makeUpTo(sources, before, { ...run, product });
  })();
  run.tell(`${sources} sources: start`);
  const began = performance.now();
  await using product = await start();
  const readySeconds = (performance.now() - began) / 1000;
  const startProcessorSeconds = totalOf((await readProcessorTime(product.pid)).all) / 1e6;
  await sleep(settleMs);
  run.tell(`${sources} sources: idle`);
  const idlePercent = await shareOf(product, () => sleep(run.seconds * 1000));
  const { anonymousMb } = await readMemory(product.pid);
  run.tell(`${sources} sources: trickle`);
  const urls = await urlsOf(product, sources);
  const [url] = urls;
  if (url === undefined) throw new Error('there is no source');
  const load = { urls, body: event, connections: 1, perSecond: tricklePerSecond, seconds: trickleSeconds };
  const tricklePercent = await shareOf(product, () => measureSide({ pid: product.pid, url }, run.loader, load));
  if (sources < run.sources) await sleep(deliveredMs);
  run.tell(`${sources} sources: idle ${idlePercent.toFixed(1)} %, trickle ${tricklePercent.toFixed(1)} %`);
  return { sources, ...made, readySeconds, startProcessorSeconds, idlePercent, tricklePercent, anonymousMb };
}

type Made = Pick<Point, 'sourceMs' | 'sinkMs' | 'processorMs' | 'firstPageMs' | 'lastPageMs' | 'metricsMs'>;

async function makeUpTo(sources: number, before: number, run: Run & { readonly product: Product }): Promise<Made> {
  const { product, tell } = run;
  const from = Math.max(before, sources - measured);
  const used = await readProcessorTime(product.pid);
  let next = before;
  const makeOthers = async (): Promise<void> => {
    while (next < from) {
      const number = next;
      next += 1;
      if (number % 100 === 0) tell(`making source ${number} of ${sources}`);
      await makeSource(product, number);
      for (let sink = 0; sink < sinksPerSource; sink += 1) await makeSink(product, number, sink);
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, makeOthers));
  const processorMs = totalOf(timeBetween(used, await readProcessorTime(product.pid)).all) / 1000 / (from - before);
  tell(`${sources} sources: one after the other`);
  const numbers = Array.from({ length: sources - from }, (_, at) => from + at);
  const sourceMs = await timesOf(numbers.map((number) => () => makeSource(product, number)));
  const sinks = numbers.flatMap((number) =>
    Array.from({ length: sinksPerSource }, (_, sink) => [number, sink] as const),
  );
  const sinkMs = await timesOf(
    sinks.map(
      ([number, sink]) =>
        () =>
          makeSink(product, number, sink),
    ),
  );
  const read = (asked: string): Promise<Spread> =>
    timesOf(Array.from({ length: 5 }, () => () => readAll(product, asked)));
  const metricsMs = await read('/metrics');
  const firstPageMs = await read(`${path}?limit=100`);
  const lastPageMs = await read(`${path}?limit=100&afterId=${idOf(Math.max(0, sources - 100))}`);
  return { sourceMs, sinkMs, processorMs, metricsMs, firstPageMs, lastPageMs };
}

/** In the order of their numbers. */
function idOf(number: number): string {
  return `s${String(number).padStart(6, '0')}`;
}

async function makeSource({ api }: Product, number: number): Promise<void> {
  await api.task('POST', path, { type: 'http', name: `Source ${number}`, sourceId: idOf(number) });
}

/** Each source has a bucket of its own. */
async function makeSink({ api }: Product, number: number, sink: number): Promise<void> {
  const table = { type: 'keboola', tableId: `in.c-${idOf(number)}.t${sink}`, mapping: { columns } };
  await api.task('POST', `${path}/${idOf(number)}/sinks`, { type: 'table', name: `Sink ${sink}`, table });
}

async function timesOf(works: readonly (() => Promise<unknown>)[]): Promise<Spread> {
  const times: number[] = [];
  for (const work of works) {
    const began = performance.now();
    await work();
    times.push(performance.now() - began);
  }
  return spreadOf(times);
}

async function readAll({ api }: Product, asked: string): Promise<void> {
  const { status } = await api.request('GET', asked);
  if (status !== 200) throw new Error(`GET ${asked}: ${status}`);
}

/** Where the senders of all sources post. */
async function urlsOf({ api }: Product, sources: number): Promise<readonly URL[]> {
  const urls: URL[] = [];
  for (let afterId = ''; urls.length < sources;) {
    const asked = `${path}?limit=100&afterId=${afterId}`;
    const found = await api.call<{ sources: { http: { url: string } }[]; page: { lastId: string } }>('GET', asked);
    if (found.sources.length === 0) throw new Error(`there are ${urls.length} sources of ${sources}`);
    urls.push(...found.sources.map(({ http }) => new URL(http.url)));
    afterId = found.page.lastId;
  }
  return urls;
}

/** What the process takes of one processor while something goes on, percent. */
async function shareOf({ pid }: Product, work: () => Promise<unknown>): Promise<number> {
  const [before, began] = [await readProcessorTime(pid), performance.now()];
  await work();
  const used = totalOf(timeBetween(before, await readProcessorTime(pid)).all) / 1000;
  return (used / (performance.now() - began)) * 100;
}

const one = (value: number): Spread => spreadOf([value]);
const inMs = 'ms, one after the other';

interface Shown {
  readonly name: string;
  readonly title: string;
  readonly shows: string;
  readonly lines: Readonly<Record<string, (point: Point) => Spread>>;
}

const shown: readonly Shown[] = [
  {
    name: 'make',
    title: 'To make one more, by how many sources there are',
    shows: inMs,
    lines: {
      source: ({ sourceMs }) => sourceMs,
      sink: ({ sinkMs }) => sinkMs,
      'processor time': ({ processorMs }) => one(processorMs),
    },
  },
  {
    name: 'read',
    title: 'To read, by how many sources there are',
    shows: inMs,
    lines: {
      'first page of 100': ({ firstPageMs }) => firstPageMs,
      'last page': ({ lastPageMs }) => lastPageMs,
      '/metrics': ({ metricsMs }) => metricsMs,
    },
  },
  {
    name: 'rest',
    title: `Nothing to do, and ${tricklePerSecond} events a second over all sources, by how many these are`,
    shows: 'processor time of the process, % of one processor',
    lines: { idle: ({ idlePercent }) => one(idlePercent), trickle: ({ tricklePercent }) => one(tricklePercent) },
  },
  {
    name: 'start',
    title: 'A start that finds them all, by how many sources there are',
    shows: 'seconds',
    lines: {
      ready: ({ readySeconds }) => one(readySeconds),
      'processor time': ({ startProcessorSeconds }) => one(startProcessorSeconds),
    },
  },
  {
    name: 'memory',
    title: 'Memory after a start, by how many sources there are',
    shows: 'memory of the process, MB',
    lines: { memory: ({ anonymousMb }) => one(anonymousMb) },
  },
];

function curvesOf(points: readonly Point[]): readonly Curve[] {
  return shown.map(({ name, title, shows, lines }) => ({
    name: `control-plane-${name}`,
    title,
    along: `sources, each with ${sinksPerSource} sinks`,
    shows,
    lines: Object.entries(lines).map(([line, of]) => ({
      name: line,
      points: points.map((point) => ({ at: point.sources, spread: of(point) })),
    })),
  }));
}
