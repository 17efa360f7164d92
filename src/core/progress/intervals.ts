import type { Offset } from '../offset.ts';

/** Source offsets [start, end) that a sink takes; `end` null while it is enabled. */
export interface Interval {
  readonly start: Offset;
  readonly end: Offset | null;
}

/** A run of offsets (from, to]. */
export interface Run {
  readonly from: Offset;
  readonly to: Offset;
}

/** The first offset after `offset` that lies in an interval; undefined when there is none. */
export function nextWanted(intervals: readonly Interval[], offset: Offset): Offset | undefined {
  for (const { start, end } of intervals) {
    const candidate = Math.max(start, offset + 1);
    if (end === null || candidate < end) return candidate;
  }
  return undefined;
}

/** The parts of (from, to] that lie in intervals, in order, as runs; never as single offsets. */
export function inside(intervals: readonly Interval[], run: Run): readonly Run[] {
  const parts: Run[] = [];
  for (const { start, end } of intervals) {
    const from = Math.max(start - 1, run.from);
    const to = end === null ? run.to : Math.min(run.to, end - 1);
    if (from < to) parts.push({ from, to });
  }
  return parts;
}

/** How many offsets of (from, to] lie in intervals. */
export function countWanted(intervals: readonly Interval[], run: Run): number {
  return countOffsets(inside(intervals, run));
}

/** How many offsets the runs hold. */
export function countOffsets(runs: readonly Run[]): number {
  let count = 0;
  for (const { from, to } of runs) count += to - from;
  return count;
}

/** True when an outcome that ends at `offset` lies past everything that the known intervals can want. */
export function isBeyond(intervals: readonly Interval[], offset: Offset): boolean {
  const last = intervals.at(-1);
  return last === undefined || (last.end !== null && offset >= last.end);
}

/** True while the last interval has no end: the sink takes events. */
export function isOpen(intervals: readonly Interval[]): boolean {
  return intervals.at(-1)?.end === null;
}
