import type { Incarnation } from '../core/ids.ts';
import type { SinkProgress } from '../core/progress/sink-progress.ts';
import type { Freshness } from './freshness.ts';
import { sinkLabels } from './labels.ts';
import type { CountedKind, OutcomeTotals } from './outcome-totals.ts';
import type { Telemetry } from './telemetry.ts';

/** What the map stage tells about its work; every method is quick and never throws. */
export interface MapObserver {
  /** Outcomes were appended to the sink's topic. Called once for each batch. */
  outcomesAppended(progress: Pick<SinkProgress, 'incarnation' | 'key'>, appended: OutcomeTotals): void;
}

type Add = (kind: CountedKind, offsets: number) => void;

/**
 * Counts source offsets by the kind of their outcome, and the events of a record that holds several each by its own; dead letters by their
 * reason; and how old all of them are, once for each batch.
 */
export function observeMap({ metrics }: Telemetry, freshness: Freshness): MapObserver {
  const counter = metrics.counter('millrace_map_outcomes_total');
  const deadLetters = metrics.counter('millrace_map_dead_letters_total');
  const ages = metrics.ages('millrace_event_age_seconds');
  const known = new Map<Incarnation, Add>();
  const adderOf = ({ incarnation, key }: Pick<SinkProgress, 'incarnation' | 'key'>): Add => {
    const before = known.get(incarnation);
    if (before !== undefined) return before;
    const labels = sinkLabels(metrics, key);
    const row = counter.tally({ ...labels, kind: 'row' });
    const add: Add = (kind, offsets) => (kind === 'row' ? row.inc(offsets) : counter.inc({ ...labels, kind }, offsets));
    known.set(incarnation, add);
    return add;
  };
  return {
    outcomesAppended: (progress, { counts, reasons, oldest }) => {
      const add = adderOf(progress);
      for (const [kind, offsets] of counts) if (offsets > 0) add(kind, offsets);
      for (const [reason, each] of Map.groupBy(reasons, (reason) => reason))
        deadLetters.inc({ ...sinkLabels(metrics, progress.key), reason }, each.length);
      if (oldest === undefined || oldest < freshness.countsSince(progress.key)) return;
      const events = (counts.get('row') ?? 0) + (counts.get('dead') ?? 0);
      ages.add({ stage: 'mapped' }, { seconds: (freshness.now() - oldest) / 1000, events });
    },
  };
}
