import type { Offset, Partition } from '../offset.ts';
import { countOffsets, inside, isOpen } from './intervals.ts';
import { seal } from './seal.ts';
import {
  entryOf,
  outdated,
  refused,
  sameEntry,
  type PartitionEntry,
  type Refused,
  type SinkProgress,
} from './sink-progress.ts';

/** How many events the entry still wants, and the last of them; undefined when there is none, or there is no end. */
export function wantedRest({ intervals, source }: PartitionEntry): { count: number; last: number } | undefined {
  if (isOpen(intervals)) return undefined;
  const runs = inside(intervals, { from: source, to: Number.POSITIVE_INFINITY });
  const last = runs.at(-1)?.to;
  return last === undefined ? undefined : { count: countOffsets(runs), last };
}

/**
 * Ends a deleted incarnation where it stands, in a partition from which nothing can come any more: what it still wants
 * becomes holes. If an outcome comes after all, it is a repeat. Refused for any other incarnation, when the entry is no
 * longer `base`, and when nothing is wanted.
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

/**
 * The range that a reader assumes for a source partition of which nothing is mapped again; undefined while something
 * may be.
 */
export function lostSource(entry: PartitionEntry): { first: Offset; stableEnd: Offset } | undefined {
  const rest = wantedRest(entry);
  const lost = entry.torn.lost ?? 0;
  return rest !== undefined && lost > rest.last ? { first: lost, stableEnd: lost } : undefined;
}

/**
 * The source of a deleted incarnation has lost everything: what is missing in the incarnation's own topic becomes
 * holes, and what stands behind the gap is taken. Its reader goes on at `low`, the first offset of that topic, because
 * it may have passed over what was to be mapped again. Refused for any other incarnation, when the entry is not `base`
 * any more, and when that is noted already.
 */
export function forgoMapping(
  progress: SinkProgress,
  { partition, base, low }: { readonly partition: Partition; readonly base: PartitionEntry; readonly low: Offset },
): SinkProgress | Refused {
  if (!progress.deleted) return refused('only a deleted incarnation gives up what is not mapped');
  const known = entryOf(progress, partition);
  if (!sameEntry(known, base)) return outdated('the entry has changed');
  const rest = wantedRest(base);
  if (rest === undefined || lostSource(base) !== undefined) return refused('nothing is wanted, or it is known already');
  const entry = { ...known, sink: low, torn: { ...known.torn, low, lost: rest.last + 1 } };
  return { ...progress, entries: { ...progress.entries, [partition]: entry } };
}
