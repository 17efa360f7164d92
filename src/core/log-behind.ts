import { MillraceError } from './millrace-error.ts';
import type { Offset, TopicPartition } from './offset.ts';

/** The partition ends before an offset that is to be read next: at least up to there it was longer once, or somebody made the offset up. */
export function logBehind(
  { topic, partition }: TopicPartition,
  { offset, end }: { readonly offset: Offset; readonly end: Offset },
): MillraceError {
  const message = `topic "${topic}" partition ${partition} ended before offset ${offset}, which is to be read next; it ends at ${end} now`;
  return new MillraceError('progress.logBehind', message, { details: { topic, partition, offset, end } });
}
