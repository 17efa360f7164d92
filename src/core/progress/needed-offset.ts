import type { Offset, Partition } from '../offset.ts';
import { nextWanted } from './intervals.ts';
import { entryOf, type SinkProgress } from './sink-progress.ts';

/** The lowest offset below `end` that any of the sinks still has to stage; `end` when none needs anything. */
export function neededOffset(sinks: Iterable<SinkProgress>, partition: Partition, end: Offset): Offset {
  let needed = end;
  for (const progress of sinks) {
    const { intervals, source } = entryOf(progress, partition);
    needed = Math.min(needed, nextWanted(intervals, source) ?? end);
  }
  return needed;
}
