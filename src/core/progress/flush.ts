import type { Offset, Partition } from '../offset.ts';
import { countWanted, nextWanted } from './intervals.ts';
import { entryOf, heldSlices, refused, type PartitionEntry, type Refused, type SinkProgress } from './sink-progress.ts';
import type { Ends, SourceEnds } from './source-ends.ts';

/** Asks stage and import to deliver what lies below these durable ends without waiting for triggers. Asking twice takes the higher ends. */
export function requestFlush(progress: SinkProgress, ends: Ends): SinkProgress {
  const flush: Record<string, Offset> = { ...progress.flush };
  for (const [partition, end] of ends) flush[partition] = Math.max(flush[partition] ?? 0, end);
  return { ...progress, flush };
}

/** Where the intervals of a closed document end. */
export function closedEnds({ entries }: SinkProgress): Ends {
  return new Map(
    Object.entries(entries).map(([partition, { intervals }]) => [Number(partition), intervals.at(-1)?.end ?? 0]),
  );
}

/** Asks for all that a closed document still has to deliver: its triggers count for nobody any more. */
export function requestRest(progress: SinkProgress): SinkProgress {
  const ends = closedEnds(progress);
  return isDelivered(progress, ends) ? progress : requestFlush(progress, ends);
}

/** True when every wanted offset of the partition below `end` is decided. */
export function hasPassed(entry: PartitionEntry, end: Offset): boolean {
  const next = nextWanted(entry.intervals, entry.source);
  return next === undefined || next >= end;
}

/** True when everything below the ends is out of the topics: decided, and not waiting in staging any more. */
export function isDelivered(progress: SinkProgress, ends: Ends): boolean {
  const waiting = heldSlices(progress);
  for (const [partition, end] of ends) {
    if (!hasPassed(entryOf(progress, partition), end)) return false;
    if (waiting.some((slice) => slice.partition === partition && slice.from + 1 < end)) return false;
  }
  return true;
}

/** Wanted offsets below the asked ends that nobody can read yet, because a transaction of another producer is open before them. */
export function heldBack(progress: SinkProgress, asked: Ends, { stable }: SourceEnds): number {
  let count = 0;
  for (const [partition, end] of asked) {
    const { intervals, source } = entryOf(progress, partition);
    const from = Math.max(source, (stable.get(partition) ?? end) - 1);
    count += countWanted(intervals, { from, to: end - 1 });
  }
  return count;
}

/** The end that a flush asks for in a partition that has not passed it yet; undefined when nothing is asked. */
export function flushEnd(progress: SinkProgress, partition: Partition): Offset | undefined {
  const end = progress.flush?.[partition];
  return end === undefined || hasPassed(entryOf(progress, partition), end) ? undefined : end;
}

/** True while a flush asks that staged slices are imported now: one of them may hold offsets below the asked ends. */
export function wantsImport(progress: SinkProgress): boolean {
  if (progress.flush === undefined || progress.staged.length === 0) return false;
  return progress.staged.some((slice) => slice.from + 1 < (progress.flush?.[slice.partition] ?? 0));
}

/** Forgets a flush that has been served. */
export function clearFlush(progress: SinkProgress): SinkProgress | Refused {
  const { flush, ...rest } = progress;
  if (flush === undefined) return refused('no flush is asked for');
  const ends = new Map(Object.entries(flush).map(([partition, end]) => [Number(partition), end]));
  return isDelivered(progress, ends) ? rest : refused('the flush is not served yet');
}
