import type { Offset, Partition } from '../offset.ts';
import { countOffsets, inside } from './intervals.ts';
import { entryOf, heldSlices, totalsOf, type PartitionTotals, type SinkProgress } from './sink-progress.ts';
import type { Ends } from './switch.ts';

/** The numbers of D4 for one partition of one sink; every wanted source offset stands in exactly one of them. */
export interface Conservation extends PartitionTotals {
  readonly partition: Partition;
  /** Wanted offsets below the end of the source topic, since the incarnation began. */
  readonly accepted: number;
  /** Wanted offsets that no seal has passed yet. */
  readonly inFlight: number;
  /** Rows and dead letters in staging, parked ones and those of a running import included. */
  readonly staged: number;
  /** `passed` minus everything that it must be the sum of; anything but 0 is an alarm. */
  readonly difference: number;
}

/** Counts one partition; `end` is the end of its source partition. */
export function conserve(progress: SinkProgress, partition: Partition, end: Offset): Conservation {
  const entry = entryOf(progress, partition);
  const totals = totalsOf(progress, partition);
  const inFlight = countOffsets(inside(entry.intervals, { from: entry.source, to: end - 1 }));
  const staged = heldSlices(progress)
    .filter((slice) => slice.partition === partition)
    .reduce((sum, slice) => sum + slice.rows + slice.dead, 0);
  const { rows, dead, filtered, holes, none, givenUp } = totals;
  return {
    ...totals,
    partition,
    accepted: totals.passed + inFlight,
    inFlight,
    staged,
    difference: totals.passed - (rows + dead + filtered + holes + none + givenUp + staged),
  };
}

/** Counts all partitions that the source topic has. */
export function conserveAll(progress: SinkProgress, ends: Ends): readonly Conservation[] {
  return [...ends].map(([partition, end]) => conserve(progress, partition, end));
}
