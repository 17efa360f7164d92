import type { SinkKey, SourceKey } from '../core/ids.ts';
import { wholeDifference } from '../core/accounts/conservation.ts';
import type { SinkMeasure } from '../core/accounts/sink-measure.ts';
import { sinkLabels, sourceLabels } from './labels.ts';
import type { Telemetry } from './telemetry.ts';

const witnesses = ['document', 'ledgerRows', 'ledgerDead', 'log'] as const;

/** Sets what a look at a sink's documents and topics has found. Only one thread measures a sink. */
export function sinkMeasured({ log, metrics }: Telemetry, key: SinkKey, measure: SinkMeasure): void {
  const labels = sinkLabels(key);
  metrics.gauge('millrace_sink_lag_events').set(labels, measure.lagEvents);
  metrics.gauge('millrace_sink_lag_seconds').set(labels, measure.lagSeconds);
  metrics.gauge('millrace_staged_rows').set(labels, measure.stagedRows);
  metrics.gauge('millrace_sink_holes').set(labels, measure.holes.counted);
  metrics.gauge('millrace_sink_unacknowledged_holes').set(labels, measure.holes.ringing);
  const { differences } = measure;
  const difference = wholeDifference(differences);
  metrics.gauge('millrace_sink_conservation_difference').set(labels, difference);
  for (const witness of witnesses) {
    const gauge = metrics.gauge('millrace_sink_witness_difference');
    const value = differences[witness];
    if (value === undefined) gauge.remove({ ...labels, witness });
    else gauge.set({ ...labels, witness }, Math.abs(value));
  }
  if (difference !== 0) log.error({ ...key, difference, ...differences }, 'conservation violated');
}

/** Forgets the gauges of a sink that is gone. */
export function sinkForgotten({ metrics }: Telemetry, key: SinkKey): void {
  const labels = sinkLabels(key);
  metrics.gauge('millrace_sink_lag_events').remove(labels);
  metrics.gauge('millrace_sink_lag_seconds').remove(labels);
  metrics.gauge('millrace_staged_rows').remove(labels);
  metrics.gauge('millrace_sink_conservation_difference').remove(labels);
  metrics.gauge('millrace_sink_holes').remove(labels);
  metrics.gauge('millrace_sink_unacknowledged_holes').remove(labels);
  for (const witness of witnesses) metrics.gauge('millrace_sink_witness_difference').remove({ ...labels, witness });
}

/** Sets how much of the retention of its source a sink has used with what it still needs, from 0 to 1. */
export function retentionMeasured({ metrics }: Telemetry, key: SinkKey, share: number): void {
  metrics.gauge('millrace_sink_retention_used_ratio').set(sinkLabels(key), share);
}

/** Forgets it, of a sink that is gone or of which it is not known. */
export function retentionForgotten({ metrics }: Telemetry, key: SinkKey): void {
  metrics.gauge('millrace_sink_retention_used_ratio').remove(sinkLabels(key));
}

/** Sets the size of a source's topic. */
export function logMeasured({ metrics }: Telemetry, key: SourceKey, bytes: number): void {
  metrics.gauge('millrace_log_bytes').set(sourceLabels(key), bytes);
}

/** Forgets the size of a topic that is gone. */
export function logForgotten({ metrics }: Telemetry, key: SourceKey): void {
  metrics.gauge('millrace_log_bytes').remove(sourceLabels(key));
}
