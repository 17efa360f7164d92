import { MillraceError } from '../millrace-error.ts';
import type { Offset, Partition } from '../offset.ts';
import { entryOf, refused, type PartitionEntry, type Refused, type SinkProgress } from './sink-progress.ts';

/** A source offset that a sink has an outcome for, and the epoch that it was read in. */
export interface ReadPlace {
  readonly position: Offset;
  readonly epoch: number;
}

/** What a log has of an epoch: the last one up to it that it has records of, and one past the last offset of those. */
export interface EpochEnd {
  readonly epoch: number;
  readonly end: Offset;
}

/**
 * Where the log was cut, if it no longer holds what was read at the place; undefined while it does. An epoch ends for
 * good when the next one begins, so the answer stays true however far the log has grown since.
 */
export function cutBelow(place: ReadPlace, found: EpochEnd): Offset | undefined {
  return found.epoch < place.epoch || found.end <= place.position ? found.end : undefined;
}

/**
 * Notes that the source partition lost events which the sink has taken: from now on its offsets mean two things.
 * Refused when that is already noted.
 */
export function noteCut(
  progress: SinkProgress,
  { partition, cut }: { readonly partition: Partition; readonly cut: Offset },
): SinkProgress | Refused {
  const entry = entryOf(progress, partition);
  if (entry.cut !== undefined) return refused('it is known already');
  return { ...progress, entries: { ...progress.entries, [partition]: { ...entry, cut } } };
}

/** `progress.logCut` when that was written down of the partition. */
export function requireUncut({ topics }: SinkProgress, partition: Partition, { cut }: PartitionEntry): void {
  if (cut === undefined) return;
  throw new MillraceError(
    'progress.logCut',
    `partition ${partition} of topic "${topics.source}" has lost what it held from offset ${cut} on, and the sink has taken some of that`,
    { details: { topic: topics.source, partition, cut } },
  );
}
