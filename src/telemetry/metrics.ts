import { Gauge, Histogram, Registry } from 'prom-client';
import { SeriesNames } from './labels.ts';
import {
  metricCatalogue,
  type AgesName,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelOf,
  type MetricDefinition,
} from './metric-catalogue.ts';
import { AgeHistogram, type Ages } from './age-histogram.ts';
import { TallyCounter } from './tally-counter.ts';

/** The metrics of one thread, all of the catalogue and nothing else. */
export interface Metrics {
  readonly registry: Registry;
  readonly names: SeriesNames;
  counter<Name extends CounterName>(name: Name): TallyCounter<LabelOf<Name>>;
  gauge<Name extends GaugeName>(name: Name): Gauge<LabelOf<Name>>;
  histogram<Name extends HistogramName>(name: Name): Histogram<LabelOf<Name>>;
  ages<Name extends AgesName>(name: Name): Ages<LabelOf<Name>>;
}

/** Makes the registry of a thread with every metric of the catalogue. */
export function createMetrics(names: SeriesNames = new SeriesNames()): Metrics {
  const registry = new Registry();
  const counters = new Map<string, TallyCounter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const ages = new Map<string, AgeHistogram>();
  const definitions: Readonly<Record<string, MetricDefinition>> = metricCatalogue;
  for (const [name, definition] of Object.entries(definitions)) {
    const shape = { name, help: definition.help, labelNames: [...definition.labels], registers: [registry] };
    switch (definition.kind) {
      case 'counter':
        counters.set(name, new TallyCounter(shape));
        break;
      case 'gauge':
        gauges.set(name, new Gauge({ ...shape, aggregator: definition.merge }));
        break;
      case 'histogram':
        if (definition.weighted === true) ages.set(name, new AgeHistogram({ ...shape, buckets: definition.buckets }));
        else histograms.set(name, new Histogram({ ...shape, buckets: [...definition.buckets] }));
        break;
      default:
        definition satisfies never;
    }
  }
  return {
    registry,
    names,
    counter: (name) => known(counters, name),
    gauge: (name) => known(gauges, name),
    histogram: (name) => known(histograms, name),
    ages: (name) => known(ages, name),
  };
}

function known<Metric>(metrics: ReadonlyMap<string, Metric>, name: string): Metric {
  const metric = metrics.get(name);
  if (metric === undefined) throw new TypeError(`the catalogue holds no metric "${name}" of this kind`);
  return metric;
}
