import type { Partition } from '../../core/offset.ts';
import { entryOf, outdated, sameEntry, type PartitionEntry, type Refused } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { transit, type ReadProgress, type Transition } from '../replica/progress-document.ts';

export interface EntryChange extends Waiting {
  readonly partition: Partition;
  /** The entry that the change starts from. */
  readonly base: PartitionEntry;
  readonly transition: Transition;
}

/**
 * Applies a transition of one entry, again and again while only other parts of the document change. Answers the document
 * that was written, or why there is none: `outdated` when the entry is not `base` any more, else as the transition says.
 */
export async function writeEntry(
  catalog: Catalog,
  known: ReadProgress,
  { partition, base, transition, signal }: EntryChange,
): Promise<ReadProgress | Refused> {
  const after = await transit(catalog, known.value.incarnation, {
    known,
    signal,
    transition: (progress) =>
      sameEntry(entryOf(progress, partition), base) ? transition(progress) : outdated('the entry has moved'),
  });
  if (after === undefined) return outdated('there is no document');
  return after.applied ? after : after.refusal;
}
