import type { Incarnation, SinkKey } from '../core/ids.ts';
import type { Partition } from '../core/offset.ts';
import type { TriggerCause } from '../core/trigger.ts';
import { sinkLabels } from './labels.ts';
import type { Telemetry } from './telemetry.ts';

export interface SealedSlice {
  readonly key: SinkKey;
  readonly incarnation: Incarnation;
  readonly partition: Partition;
  readonly id: string;
  readonly cause: TriggerCause;
  readonly rows: number;
  readonly dead: number;
  /** CSV bytes of rows and dead letters. */
  readonly bytes: number;
}

/** A slice is staged: call it once, after the compare-and-set that sealed it. */
export function sliceSealed({ log, metrics }: Telemetry, { key, ...slice }: SealedSlice): void {
  const labels = sinkLabels(key);
  metrics.counter('millrace_stage_slices_total').inc({ ...labels, cause: slice.cause });
  metrics.counter('millrace_stage_rows_total').inc(labels, slice.rows);
  metrics.counter('millrace_stage_bytes_total').inc(labels, slice.bytes);
  log.info({ ...key, ...slice }, 'slice sealed');
}
