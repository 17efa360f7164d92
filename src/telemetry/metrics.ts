import { Counter, Gauge, Histogram, Registry } from 'prom-client';
import {
  metricCatalogue,
  type CounterName,
  type GaugeName,
  type HistogramName,
  type LabelOf,
  type MetricDefinition,
} from './metric-catalogue.ts';

/** The metrics of one thread, all of the catalogue and nothing else. */
export interface Metrics {
  readonly registry: Registry;
  counter<Name extends CounterName>(name: Name): Counter<LabelOf<Name>>;
  gauge<Name extends GaugeName>(name: Name): Gauge<LabelOf<Name>>;
  histogram<Name extends HistogramName>(name: Name): Histogram<LabelOf<Name>>;
}

/** Makes the registry of a thread with every metric of the catalogue. */
export function createMetrics(): Metrics {
  const registry = new Registry();
  const counters = new Map<string, Counter>();
  const gauges = new Map<string, Gauge>();
  const histograms = new Map<string, Histogram>();
  const definitions: Readonly<Record<string, MetricDefinition>> = metricCatalogue;
  for (const [name, definition] of Object.entries(definitions)) {
    const shape = { name, help: definition.help, labelNames: [...definition.labels], registers: [registry] };
    switch (definition.kind) {
      case 'counter':
        counters.set(name, new Counter(shape));
        break;
      case 'gauge':
        gauges.set(name, new Gauge({ ...shape, aggregator: definition.merge }));
        break;
      case 'histogram':
        histograms.set(name, new Histogram({ ...shape, buckets: [...definition.buckets] }));
        break;
      default:
        definition satisfies never;
    }
  }
  return {
    registry,
    counter: (name) => known(counters, name),
    gauge: (name) => known(gauges, name),
    histogram: (name) => known(histograms, name),
  };
}

function known<Metric>(metrics: ReadonlyMap<string, Metric>, name: string): Metric {
  const metric = metrics.get(name);
  if (metric === undefined) throw new TypeError(`the catalogue holds no metric "${name}" of this kind`);
  return metric;
}
