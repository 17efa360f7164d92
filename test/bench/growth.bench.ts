import type { Bench, BenchOptions, BenchResult } from './bench.ts';
import { numberText, type Curve, type CurveLine } from './curve.ts';
import { startLoader, type Loader } from './load/http-load.ts';
import { watchMemory } from './memory.ts';
import { inTurns } from './rounds.ts';
import { columns, event } from './sides/event.ts';
import { measureSide, warmUp, type FinishedLoad } from './sides/loaded-side.ts';
import { startProduct, type Product } from './sides/product.ts';
import { makeSource, Sink, type SinkSpec } from './sides/source.ts';
import { spreadOf } from './statistics.ts';

/** One process of the product that was loaded. */
interface Point {
  /** Processor time of an event, microseconds. */
  readonly microseconds: number;
  readonly anonymousMb: number;
}

/** What grows, and what is measured at each of its values. */
interface Growth {
  readonly name: string;
  readonly title: string;
  readonly along: string;
  readonly values: readonly number[];
  readonly measure: (value: number, run: Run) => Promise<Point>;
}

interface Run {
  readonly loader: Loader;
  readonly options: BenchOptions;
}

/** As many path columns, of fields that are all there. */
const pathColumns = (count: number): SinkSpec['columns'] =>
  Array.from({ length: count }, (_, at) => ({ type: 'path', name: `f${at}`, path: `f${at}`, rawString: true }));

const templateColumns = (count: number): SinkSpec['columns'] =>
  Array.from({ length: count }, (_, at) => ({
    type: 'template',
    name: `t${at}`,
    template: { language: 'jsonnet', content: `Body("f${at}") + "-" + Body("f${at + 1}")` },
  }));

/** A hundred fields of eight characters. */
const wideEvent = Buffer.from(
  JSON.stringify(Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`f${at}`, String(at).padStart(8, 'v')]))),
);

/** Six columns, none of them of the text that makes an event long. */
const sizedColumns: SinkSpec['columns'] = [
  ...columns.slice(0, 3),
  ...['number', 'action', 'kind'].map((name) => ({ type: 'path', name, path: name, rawString: true })),
];

function eventOf(bytes: number): Buffer {
  const fields = { number: '1234567', action: 'opened', kind: 'issue', text: '' };
  return Buffer.from(JSON.stringify({ ...fields, text: 'x'.repeat(bytes - JSON.stringify(fields).length) }));
}

const growths: readonly Growth[] = [
  {
    name: 'event-size',
    title: 'An event to its row, by its size',
    along: 'bytes of an event',
    values: [100, 1000, 10_000, 100_000, 1_000_000],
    measure: (bytes, run) =>
      // What is buffered at a time is bounded: large events come over fewer connections.
      toTables(run, {
        body: eventOf(bytes),
        columns: sizedColumns,
        connections: Math.min(run.options.connections, Math.ceil(16e6 / bytes)),
      }),
  },
  {
    name: 'columns',
    title: 'An event of a hundred fields to its row, by the columns',
    along: 'path columns of the sink',
    values: [1, 3, 10, 30, 100],
    measure: (count, run) => toTables(run, { body: wideEvent, columns: pathColumns(count) }),
  },
  {
    name: 'templates',
    title: 'An event of a hundred fields to its row, by the templates',
    along: 'template columns of the sink, each of two fields',
    values: [1, 3, 10, 30],
    measure: (count, run) => toTables(run, { body: wideEvent, columns: templateColumns(count) }),
  },
  {
    name: 'sinks',
    title: 'An event to its rows, by the sinks of its source',
    along: 'sinks of the source, each of six columns',
    values: [1, 3, 10, 30, 100],
    measure: (count, run) => toTables(run, { body: event, sinks: count }),
  },
  {
    name: 'sources',
    title: '500 events a second over all sources, by how many these are',
    along: 'sources, each with one sink of six columns',
    values: [1, 10, 100, 1000],
    measure: trickle,
  },
];

/** Curves, not figures: where something grows faster than what it depends on, the line bends upwards. */
export const growthBench: Bench = {
  meaning: 'curves: processor time and memory over the size of events, columns, templates, sinks and sources',
  usual: { rounds: 3, seconds: 3 },
  run: benchGrowth,
};

async function benchGrowth(options: BenchOptions): Promise<BenchResult> {
  await using loader = startLoader();
  const curves: Curve[] = [];
  for (const growth of growths) curves.push(...(await curvesOf(growth, { loader, options })));
  return { figures: [], curves };
}

async function curvesOf({ name, title, along, values, measure }: Growth, run: Run): Promise<readonly Curve[]> {
  const tell = (progress: string): void => run.options.tell(`${name}: ${progress}`);
  const sides = values.map(
    (value) => [numberText(value), async () => ({ [value]: await measure(value, run) })] as const,
  );
  const rounds = await inTurns<Readonly<Record<number, Point>>>({ ...run.options, tell }, Object.fromEntries(sides));
  const lineOf = (what: string, of: (point: Point) => number): CurveLine => ({
    name: what,
    points: values.map((at) => ({ at, spread: spreadOf(rounds.flatMap((round) => round[at] ?? []).map(of)) })),
  });
  return [
    {
      name: `growth-${name}`,
      title,
      along,
      shows: 'processor time of an event, µs',
      lines: [lineOf('processor time', ({ microseconds }) => microseconds)],
    },
    {
      name: `growth-${name}-memory`,
      title,
      along,
      shows: 'most memory of the process, MB',
      lines: [lineOf('memory', ({ anonymousMb }) => anonymousMb)],
    },
  ];
}

interface Tables {
  readonly body: Uint8Array;
  readonly connections?: number;
  readonly columns?: SinkSpec['columns'];
  /** Default: one. */
  readonly sinks?: number;
}

/** All that one source takes, until the last row is in the last table; rejects when a table has others than were acknowledged. */
async function toTables({ loader, options }: Run, { body, sinks: count = 1, ...given }: Tables): Promise<Point> {
  await using product = await startProduct();
  const url = await makeSource(product.api, 'growth');
  const sinks = await makeSinks(product, 'growth', { count, columns: given.columns ?? columns });
  const finish = async (): Promise<void> => void (await Promise.all(sinks.map((sink) => sink.flush())));
  const load: FinishedLoad = { connections: options.connections, seconds: options.seconds, ...given, body, finish };
  const watch = watchMemory(product.pid);
  await warmUp({ pid: product.pid, url }, loader, load);
  const before = await rowsOf(sinks);
  const { events, microseconds } = await measureSide({ pid: product.pid, url }, loader, load);
  const rows = (await rowsOf(sinks)) - before;
  if (rows !== events * count)
    throw new Error(`${events} events were acknowledged for ${count} sinks, ${rows} rows came into the tables`);
  return { microseconds, anonymousMb: watch.stop().anonymousMb };
}

/** The same little rate over all sources: what each of them costs that has next to nothing to do. Triggers come as they are by default. */
async function trickle(count: number, { loader, options }: Run): Promise<Point> {
  await using product = await startProduct({
    env: { MILLRACE_MAX_SOURCES: String(count + 1), MILLRACE_PARTITIONS: '1' },
  });
  const names = Array.from({ length: count }, (_, at) => `s${at}`);
  const urls: URL[] = [];
  for (const name of names) {
    urls.push(await makeSource(product.api, name));
    await makeSinks(product, name, { count: 1, columns });
    if (urls.length % 100 === 0) options.tell(`${urls.length} sources are made`);
  }
  const [url] = urls;
  if (url === undefined) throw new Error('there is no source');
  const load = { body: event, connections: 16, seconds: options.seconds * 10, perSecond: 500, urls };
  await warmUp({ pid: product.pid, url }, loader, load);
  const watch = watchMemory(product.pid);
  const { microseconds } = await measureSide({ pid: product.pid, url }, loader, load);
  return { microseconds, anonymousMb: watch.stop().anonymousMb };
}

async function makeSinks(
  { api }: Product,
  sourceId: string,
  { count, columns: mapped }: { readonly count: number; readonly columns: SinkSpec['columns'] },
): Promise<readonly Sink[]> {
  const sinks = Array.from(
    { length: count },
    (_, at) => new Sink(api, sourceId, { sinkId: `k${at}`, columns: mapped }),
  );
  for (const sink of sinks) await sink.make();
  return sinks;
}

async function rowsOf(sinks: readonly Sink[]): Promise<number> {
  const rows = await Promise.all(sinks.map((sink) => sink.rows()));
  return rows.reduce((sum, of) => sum + of, 0);
}
