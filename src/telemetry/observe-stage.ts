import type { Partition } from '../core/offset.ts';
import type { SinkProgress, StagedSlice } from '../core/progress/sink-progress.ts';
import { sumSlices } from '../core/progress/slice-sum.ts';
import type { TriggerCause } from '../core/trigger.ts';
import type { Freshness } from './freshness.ts';
import { holesFound, type HolesFound } from './holes-found.ts';
import { sinkLabels } from './labels.ts';
import type { Telemetry } from './telemetry.ts';

/** What the stage tells about its work; every method is quick and never throws. */
export interface StageObserver extends HolesFound {
  /** A slice is staged. Called once, after the compare-and-set that sealed it. */
  sliceSealed(progress: SinkProgress, event: { readonly slice: StagedSlice; readonly cause: TriggerCause }): void;
  /** How long the oldest closed slice of this process has waited for its upload and its seal; 0 when there is none. */
  uploadsWait(oldestMs: number): void;
  /** The sink topic lost records before they were staged; what is missing is mapped again. */
  topicTorn(progress: SinkProgress, event: { readonly partition: Partition; readonly low: number }): void;
}

/** Logs and counts what is sealed, and counts topics that have lost something. */
export function observeStage(telemetry: Telemetry, freshness: Pick<Freshness, 'countsSince'>): StageObserver {
  const { log, metrics } = telemetry;
  const ages = metrics.ages('millrace_event_age_seconds');
  const oldest = metrics.gauge('millrace_upload_oldest_wait_seconds');
  return {
    sliceSealed: ({ key, incarnation }, { slice, cause }) => {
      const { id, partition, rows, dead } = slice;
      const { bytes } = sumSlices([slice]);
      const labels = sinkLabels(metrics, key);
      metrics.counter('millrace_stage_slices_total').inc({ ...labels, cause });
      metrics.counter('millrace_stage_rows_total').inc(labels, rows);
      metrics.counter('millrace_stage_bytes_total').inc(labels, bytes);
      const seconds = (slice.stagedAt - slice.firstArrival) / 1000;
      if (slice.firstArrival >= freshness.countsSince(key))
        ages.add({ stage: 'staged' }, { seconds, events: rows + dead });
      log.info({ ...key, incarnation, partition, id, cause, rows, dead, bytes }, 'slice sealed');
    },
    uploadsWait: (ms) => oldest.set({}, ms / 1000),
    topicTorn: ({ key, incarnation }, at) => {
      metrics.counter('millrace_stage_torn_topics_total').inc(sinkLabels(metrics, key));
      log.error({ ...key, incarnation, ...at }, 'sink topic lost records before they were staged');
    },
    holesFound: holesFound(telemetry),
  };
}
