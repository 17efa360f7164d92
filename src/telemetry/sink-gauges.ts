import type { SinkKey, SourceKey } from '../core/ids.ts';
import { sinkLabels, sourceLabels } from './labels.ts';
import type { Telemetry } from './telemetry.ts';

export interface SinkMeasure {
  /** Accepted events that are in no table yet. */
  readonly lagEvents: number;
  /** Age of the oldest of them; 0 when there is none. */
  readonly lagSeconds: number;
  /** Rows and dead letters in staging. */
  readonly stagedRows: number;
  /** What the conservation count misses; 0 unless something is broken. */
  readonly difference: number;
}

/** Sets what a look at a sink's document and topics has found. Only one thread measures a sink. */
export function sinkMeasured({ log, metrics }: Telemetry, key: SinkKey, measure: SinkMeasure): void {
  const labels = sinkLabels(key);
  metrics.gauge('millrace_sink_lag_events').set(labels, measure.lagEvents);
  metrics.gauge('millrace_sink_lag_seconds').set(labels, measure.lagSeconds);
  metrics.gauge('millrace_staged_rows').set(labels, measure.stagedRows);
  metrics.gauge('millrace_sink_conservation_difference').set(labels, Math.abs(measure.difference));
  if (measure.difference !== 0) log.error({ ...key, difference: measure.difference }, 'conservation violated');
}

/** Forgets the gauges of a sink that is gone. */
export function sinkForgotten({ metrics }: Telemetry, key: SinkKey): void {
  const labels = sinkLabels(key);
  metrics.gauge('millrace_sink_lag_events').remove(labels);
  metrics.gauge('millrace_sink_lag_seconds').remove(labels);
  metrics.gauge('millrace_staged_rows').remove(labels);
  metrics.gauge('millrace_sink_conservation_difference').remove(labels);
}

/** Sets the size of a source's topic. */
export function logMeasured({ metrics }: Telemetry, key: SourceKey, bytes: number): void {
  metrics.gauge('millrace_log_bytes').set(sourceLabels(key), bytes);
}

/** Forgets the size of a topic that is gone. */
export function logForgotten({ metrics }: Telemetry, key: SourceKey): void {
  metrics.gauge('millrace_log_bytes').remove(sourceLabels(key));
}
