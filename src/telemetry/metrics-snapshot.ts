import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** The values of one thread's registry at one moment, plain enough for a message between threads. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Takes a snapshot of a registry; a worker thread sends it to the main thread when it is asked. */
export async function snapshotMetrics(registry: Registry): Promise<MetricsSnapshot> {
  return registry.getMetricsAsJSON();
}

/** One snapshot out of several, by the same rules as a page. */
export function foldMetrics(snapshots: readonly MetricsSnapshot[]): MetricsSnapshot {
  return aggregate(snapshots).getMetricsAsArray().filter(hasValues);
}

/** What is aggregated has its values with it. */
function hasValues(metric: object): metric is MetricsSnapshot[number] {
  return 'values' in metric;
}

/** One page in Prometheus' text format out of the snapshots of all threads: sums, except gauges that say otherwise. */
export async function mergeMetrics(snapshots: readonly MetricsSnapshot[]): Promise<MetricsPage> {
  const merged = aggregate(snapshots);
  return { contentType: merged.contentType, text: await merged.metrics() };
}

export interface MetricsPage {
  readonly contentType: string;
  readonly text: string;
}

function aggregate(snapshots: readonly MetricsSnapshot[]): Registry {
  return AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot]));
}
