import type { SinkKey } from '../core/ids.ts';
import type { Outcome } from '../core/outcome.ts';
import { sinkLabels } from './labels.ts';
import type { Telemetry } from './telemetry.ts';

/** Counts the outcomes of one sink. Made once per sink and kept. */
export interface MapMeter {
  /** `offsets` source offsets got an outcome of this kind. Call it once per batch, not per event. */
  mapped(kind: Outcome['kind'], offsets: number): void;
}

export function createMapMeter({ metrics }: Telemetry, key: SinkKey): MapMeter {
  const labels = sinkLabels(key);
  const counter = metrics.counter('millrace_map_outcomes_total');
  const row = counter.labels({ ...labels, kind: 'row' });
  return {
    mapped: (kind, offsets) => {
      if (offsets <= 0) return;
      if (kind === 'row') row.inc(offsets);
      else counter.inc({ ...labels, kind }, offsets);
    },
  };
}
