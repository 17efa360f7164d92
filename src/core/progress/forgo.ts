import type { Partition } from '../offset.ts';
import { countOffsets, inside, isOpen } from './intervals.ts';
import { seal } from './seal.ts';
import { outdated, refused, type PartitionEntry, type Refused, type SinkProgress } from './sink-progress.ts';

/** How many events the entry still wants, and the last of them; undefined when there is none, or there is no end. */
export function wantedRest({ intervals, source }: PartitionEntry): { count: number; last: number } | undefined {
  if (isOpen(intervals)) return undefined;
  const runs = inside(intervals, { from: source, to: Number.POSITIVE_INFINITY });
  const last = runs.at(-1)?.to;
  return last === undefined ? undefined : { count: countOffsets(runs), last };
}

/**
 * A deleted incarnation ends where it stands in a partition of which nothing can come any more: what it still wants are holes. An
 * outcome that comes after all is a repeat then. Refused for any other incarnation, when the entry is not `base` any more, and when
 * nothing is wanted.
 */
export function forgo(
  progress: SinkProgress,
  { partition, base }: { readonly partition: Partition; readonly base: PartitionEntry },
): SinkProgress | Refused {
  if (!progress.deleted) return refused('only a deleted incarnation gives up what it still wants');
  const rest = wantedRest(base);
  if (rest === undefined) return outdated('nothing more is wanted, or the interval has no end');
  const counts = { filtered: 0, holes: rest.count, none: 0 };
  return seal(progress, { partition, base, sink: base.sink, source: rest.last, ...counts, stamp: 0 });
}
