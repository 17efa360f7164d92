import { AggregatorRegistry, type MetricObjectWithValues, type MetricValue, type Registry } from 'prom-client';

/** The values of one thread's registry at one moment, plain enough for a message between threads. */
export type MetricsSnapshot = readonly MetricObjectWithValues<MetricValue<string>>[];

/** Takes a snapshot of a registry; a worker thread sends it to the main thread when it is asked. */
export async function snapshotMetrics(registry: Registry): Promise<MetricsSnapshot> {
  return registry.getMetricsAsJSON();
}

/** One page in Prometheus' text format out of the snapshots of all threads: sums, except gauges that say otherwise. */
export async function mergeMetrics(snapshots: readonly MetricsSnapshot[]): Promise<MetricsPage> {
  const merged = AggregatorRegistry.aggregate(snapshots.map((snapshot) => [...snapshot]));
  return { contentType: merged.contentType, text: await merged.metrics() };
}

export interface MetricsPage {
  readonly contentType: string;
  readonly text: string;
}
