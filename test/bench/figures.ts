import type { DeliveryBenchResult } from './delivery.bench.ts';
import type { ExtractBench } from './extract.bench.ts';
import type { IdleBenchResult } from './idle.bench.ts';
import type { IngestBenchResult } from './ingest.bench.ts';
import type { MappingBench } from './mapping.bench.ts';
import type { CollectorBench, CollectorBenchSide } from './otlp-collector.bench.ts';
import type { OtlpBench } from './otlp.bench.ts';
import type { PipelineBenchResult } from './pipeline.bench.ts';
import { rate } from './rate.ts';
import type { StartBenchResult } from './start.bench.ts';
import type { TemplatesBench } from './templates.bench.ts';

export interface Measured {
  readonly ingest: IngestBenchResult;
  readonly mapping: MappingBench;
  readonly templates: TemplatesBench;
  readonly otlp: readonly OtlpBench[];
  /** Undefined where there is no Collector. */
  readonly collector: readonly CollectorBench[] | undefined;
  readonly pipeline: PipelineBenchResult;
  readonly delivery: DeliveryBenchResult;
  readonly start: StartBenchResult;
  readonly extract: ExtractBench;
  readonly idle: IdleBenchResult;
}

/** One row of the page: texts, ready to print. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  readonly floor: string;
  readonly goal: string;
  /** Both sides of a ratio. */
  readonly sides: string;
}

/** The rows of `docs/benchmarks.md`. */
export function figuresOf({
  ingest,
  mapping,
  templates,
  otlp,
  collector = [],
  pipeline,
  delivery,
  start,
  extract,
  idle,
}: Measured): readonly Figure[] {
  return [
    {
      what: 'accept one 1 KB event a request, durable, share of a bare `node:http` server',
      measured: ingest.durableShare.toFixed(2),
      floor: '0.4',
      goal: '0.6',
      sides: `${rate(ingest.durablePerSecond, 'events')} of ${rate(ingest.barePerSecond, 'requests')}; p50 ${ingest.durableLatencyMs.p50.toFixed(1)} ms, p99 ${ingest.durableLatencyMs.p99.toFixed(1)} ms`,
    },
    {
      what: 'the same over batches of 100 lines, times the single rate',
      measured: ingest.batchedTimes.toFixed(1),
      floor: '5',
      goal: '15',
      sides: rate(ingest.batchedPerSecond, 'events'),
    },
    {
      what: 'map 10 native columns of a 1 KB JSON event, share of JSON.parse',
      measured: mapping.ratio.toFixed(2),
      floor: '0.5',
      goal: '0.7',
      sides: `${rate(mapping.rate, 'rows')} of ${rate(mapping.reference, 'bodies')}`,
    },
    ...figuresOfTemplates(templates),
    ...otlp.map(figureOfOtlp),
    ...collector.map(figureBesideCollector),
    {
      what: 'accept to row in the table, sustained, one sink of 6 columns, share of the bare server',
      measured: pipeline.deliveredShare.toFixed(2),
      floor: '0.25',
      goal: '0.4',
      sides: `${rate(pipeline.deliveredPerSecond, 'rows')} of ${rate(pipeline.barePerSecond, 'requests')}`,
    },
    {
      what: "stage: outcomes to sealed slices, share of the log's own scan",
      measured: delivery.stagedShare.toFixed(2),
      floor: '0.4',
      goal: '0.6',
      sides: `${rate(delivery.stagedPerSecond, 'outcomes')} of ${rate(delivery.scannedPerSecond, 'outcomes')}`,
    },
    {
      what: "import, share of the table store's own CSV load",
      measured: delivery.importedShare.toFixed(2),
      floor: '0.8',
      goal: '0.95',
      sides: `${rate(delivery.importedPerSecond, 'rows')} of ${rate(delivery.loadedPerSecond, 'rows')}`,
    },
    {
      what: 'memory of the process under that load',
      measured: `${pipeline.anonymousMb.toFixed(0)} MB`,
      floor: '400 MB',
      goal: '250 MB',
      sides: `resident with the pages of the log: ${pipeline.residentMb.toFixed(0)} MB`,
    },
    {
      what: `start to ready, empty data folder / ${(start.records / 1e6).toFixed(1)} million records`,
      measured: `${start.emptySeconds.toFixed(2)} s / ${start.filledSeconds.toFixed(2)} s`,
      floor: '2 s / 3 s',
      goal: '1 s / 1.5 s',
      sides: '',
    },
    {
      what: 'extract: items of an API to the files of their table, share of fetching and parsing the same pages',
      measured: extract.share.toFixed(2),
      floor: '0.5',
      goal: '0.7',
      sides: `${rate(extract.perSecond, 'items')} of ${rate(extract.readPerSecond, 'items')}; the process grew by ${extract.grewMb.toFixed(0)} MB`,
    },
    {
      what: `${idle.sinks} sinks, idle: processor, memory`,
      measured: `${(idle.cpuShare * 100).toFixed(1)} %, ${idle.anonymousMb.toFixed(0)} MB`,
      floor: '3 %, 300 MB',
      goal: '1 %, 200 MB',
      sides: `ready in ${idle.readySeconds.toFixed(1)} s`,
    },
  ];
}

/** The rows of the page on templates. */
function figuresOfTemplates({ templates, evaluations, latencyUs: { p50, p99 } }: TemplatesBench): readonly Figure[] {
  const growth = Math.max(...templates.map(({ heapGrowth }) => heapGrowth));
  return [
    ...templates.map(({ name, floor, rate: own, reference }) => ({
      what: `template: ${name}, times JSON.parse of the body`,
      measured: (own / reference).toFixed(1),
      floor: String(floor),
      goal: '–',
      sides: `${rate(own, 'cells')} of ${rate(reference, 'bodies')}`,
    })),
    {
      what: `template: heap after ${evaluations.toLocaleString('en')} evaluations of each`,
      measured: `${(growth / 1024).toFixed(0)} KB more`,
      floor: 'no growth',
      goal: '–',
      sides: '',
    },
    {
      what: 'template: two paths in a text, with parsing the body, p99',
      measured: `${p99.toFixed(0)} µs`,
      floor: '50 µs',
      goal: '–',
      sides: `p50 ${p50.toFixed(0)} µs`,
    },
  ];
}

function figureOfOtlp({ signal, encoding, rate: own, reference, recordBytes }: OtlpBench): Figure {
  const [alone, floor, goal] = encoding === 'JSON' ? ['JSON.parse', '–', '–'] : ['decoding alone', '0.5', '0.7'];
  return {
    what: `OpenTelemetry: decode and flatten ${signal} in ${encoding}, share of ${alone}`,
    measured: (own / reference).toFixed(2),
    floor,
    goal,
    sides: `${rate(own, 'records')} of ${rate(reference, 'records')}; ${((own * recordBytes) / 1e6).toFixed(0)} MB/s of requests`,
  };
}

/** Of processor time, less is better. */
function figureBesideCollector({ recordsPerRequest, product, collector, compressing }: CollectorBench): Figure {
  const side = ({ microsecondsPerRecord, perSecond }: CollectorBenchSide): string =>
    `${microsecondsPerRecord.toFixed(1)} µs at ${rate(perSecond, 'records')}`;
  const times = (other: CollectorBenchSide): string =>
    (product.microsecondsPerRecord / other.microsecondsPerRecord).toFixed(1);
  return {
    what: `OpenTelemetry: logs over HTTP to rows, ${recordsPerRequest.toLocaleString('en')} records a request, processor time per record, times that of a Collector that forwards them`,
    measured: `${times(collector)}; ${times(compressing)} when it compresses`,
    floor: '–',
    goal: 'below 1',
    sides: `${side(product)}; Collector ${side(collector)}, compressing ${side(compressing)}`,
  };
}
