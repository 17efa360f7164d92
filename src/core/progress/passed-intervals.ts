import { limits } from '../limits.ts';
import type { Offset, Partition } from '../offset.ts';
import { countWanted, type Interval } from './intervals.ts';
import { entryOf, totalsOf, type SinkProgress } from './sink-progress.ts';

type Passed = Pick<SinkProgress, 'passedIntervals'>;

/** Keeps intervals of a partition that its entry forgets, for people; the oldest make way. */
export function withPassed(
  { passedIntervals }: Passed,
  { partition, forgotten }: { readonly partition: Partition; readonly forgotten: readonly Interval[] },
): Passed {
  const added = forgotten.filter(({ start, end }) => end !== null && start < end);
  if (added.length === 0) return passedIntervals === undefined ? {} : { passedIntervals };
  const kept = joined([...(passedIntervals?.[partition] ?? []), ...added]).slice(-limits.passedIntervals);
  return { passedIntervals: { ...passedIntervals, [partition]: kept } };
}

/** Intervals that touch are one. */
function joined(intervals: readonly Interval[]): readonly Interval[] {
  const all: Interval[] = [];
  for (const one of intervals) {
    const last = all.at(-1);
    if (last?.end === one.start) all[all.length - 1] = { ...last, end: one.end };
    else all.push(one);
  }
  return all;
}

/** What is known of the intervals of a partition, and whether that is all of them. */
export interface KnownIntervals {
  readonly intervals: readonly Interval[];
  /** They hold as many offsets as the sink has passed: there was no other. */
  readonly isWhole: boolean;
}

export function knownIntervals(progress: SinkProgress, partition: Partition): KnownIntervals {
  const { source, intervals: present } = entryOf(progress, partition);
  const intervals = [...(progress.passedIntervals?.[partition] ?? []), ...present];
  const { passed } = totalsOf(progress, partition);
  return { intervals, isWhole: countWanted(intervals, { from: -1, to: source }) === passed };
}

/** Whether a sink wants an offset, or wanted it; undefined when nobody knows any more. */
export function isWanted({ intervals, isWhole }: KnownIntervals, offset: Offset): boolean | undefined {
  const isInside = intervals.some(({ start, end }) => start <= offset && (end === null || offset < end));
  return isInside || isWhole ? isInside : undefined;
}
