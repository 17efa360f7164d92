import type { SinkKey, SourceKey } from '../core/ids.ts';
import { wholeDifference } from '../core/accounts/conservation.ts';
import type { SinkMeasure } from '../core/accounts/sink-measure.ts';
import { sinkLabels, sourceLabels } from './labels.ts';
import type { GaugeName } from './metric-catalogue.ts';
import type { Telemetry } from './telemetry.ts';

const witnesses = ['document', 'ledgerRows', 'ledgerDead', 'log'] as const;

/** The gauges of a sink, each with what it shows of a look. */
const gauges = [
  ['millrace_sink_lag_events', ({ lagEvents }) => lagEvents],
  ['millrace_sink_lag_seconds', ({ lagSeconds }) => lagSeconds],
  ['millrace_staged_rows', ({ stagedRows }) => stagedRows],
  ['millrace_sink_holes', ({ holes }) => holes.counted],
  ['millrace_sink_unacknowledged_holes', ({ holes }) => holes.ringing],
  ['millrace_sink_parked_slices', ({ aside }) => aside.slices],
  ['millrace_sink_parked_events', ({ aside }) => aside.events],
  ['millrace_sink_parked_oldest_seconds', ({ aside }) => aside.oldestSeconds],
  ['millrace_sink_given_up_events', ({ aside }) => aside.givenUp],
  ['millrace_sink_conservation_difference', ({ differences }) => wholeDifference(differences)],
] as const satisfies readonly (readonly [GaugeName, (measure: SinkMeasure) => number])[];

/** Sets what a look at a sink's documents and topics has found. Only one thread measures a sink. */
export function sinkMeasured({ log, metrics }: Telemetry, key: SinkKey, measure: SinkMeasure): void {
  const labels = sinkLabels(key);
  for (const [name, show] of gauges) metrics.gauge(name).set(labels, show(measure));
  const { differences } = measure;
  for (const witness of witnesses) {
    const gauge = metrics.gauge('millrace_sink_witness_difference');
    const value = differences[witness];
    if (value === undefined) gauge.remove({ ...labels, witness });
    else gauge.set({ ...labels, witness }, Math.abs(value));
  }
  const difference = wholeDifference(differences);
  if (difference !== 0) log.error({ ...key, difference, ...differences }, 'conservation violated');
}

/** Notes that a look at all sources and sinks has come to its end; `now` in milliseconds since 1970. */
export function allMeasured({ metrics }: Telemetry, now: number): void {
  metrics.gauge('millrace_measured_timestamp_seconds').set({}, now / 1000);
}

/** Forgets the gauges of a sink that is gone. */
export function sinkForgotten({ metrics }: Telemetry, key: SinkKey): void {
  const labels = sinkLabels(key);
  for (const [name] of gauges) metrics.gauge(name).remove(labels);
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
