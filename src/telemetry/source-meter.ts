import type { SourceKey } from '../core/ids.ts';
import { sourceLabels } from './labels.ts';
import type { Telemetry } from './telemetry.ts';

/** Counts what a source accepts. Made once per source and kept: the hot path looks nothing up. */
export interface SourceMeter {
  /** One accepted request: its events and the bytes of their bodies. */
  accepted(request: { readonly events: number; readonly bytes: number }): void;
  /** Seconds from the first byte of an accepted request to its answer. */
  answered(seconds: number): void;
  /** One accepted request that was split into events; call it beside `accepted`. */
  split(): void;
}

/** No log line per event: a line per request would be slower than the request. */
export function createSourceMeter({ metrics }: Telemetry, key: SourceKey): SourceMeter {
  const labels = sourceLabels(key);
  const events = metrics.counter('millrace_ingest_events_total').labels(labels);
  const bytes = metrics.counter('millrace_ingest_bytes_total').labels(labels);
  const batches = metrics.counter('millrace_ingest_batches_total').labels(labels);
  const duration = metrics.histogram('millrace_ingest_duration_seconds').labels({});
  return {
    accepted: (request) => {
      events.inc(request.events);
      bytes.inc(request.bytes);
    },
    answered: (seconds) => duration.observe(seconds),
    split: () => batches.inc(),
  };
}
