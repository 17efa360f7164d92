import { parseProgressDocument } from '../../core/documents/progress-document.ts';
import { progressId } from '../../core/documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import type { Partition } from '../../core/offset.ts';
import {
  entryOf,
  isRefused,
  sameEntry,
  type PartitionEntry,
  type Refused,
  type SinkProgress,
} from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';

/** A progress document with its revision. */
export interface ReadDocument {
  readonly revision: number;
  readonly value: SinkProgress;
}

/** Reads the document as it is now. */
export async function readDocument(
  catalog: Catalog,
  incarnation: Incarnation,
  options: Waiting,
): Promise<ReadDocument | undefined> {
  const found = await catalog.get('progress', progressId(incarnation), options);
  return found === undefined ? undefined : { revision: found.revision, value: parseProgressDocument(found.value) };
}

export interface EntryChange extends Waiting {
  readonly partition: Partition;
  /** The entry that the change starts from. */
  readonly base: PartitionEntry;
  readonly transition: (progress: SinkProgress) => SinkProgress | Refused;
}

/**
 * Applies a transition of one entry, again and again while only other parts of the document change. Answers the document
 * that was written; undefined when the entry is not `base` any more or the transition is refused.
 */
export async function writeEntry(
  catalog: Catalog,
  document: ReadDocument,
  { partition, base, transition, signal }: EntryChange,
): Promise<ReadDocument | undefined> {
  const { incarnation } = document.value;
  let current: ReadDocument | undefined = document;
  while (current !== undefined && sameEntry(entryOf(current.value, partition), base)) {
    const value = transition(current.value);
    if (isRefused(value)) return undefined;
    const { revision: expected } = current;
    const write = { collection: 'progress', id: progressId(incarnation), expected, value } as const;
    const result = await catalog.compareAndSet(write, { signal });
    if (result.kind === 'written') return { revision: result.revision, value };
    current = await readDocument(catalog, incarnation, { signal });
  }
  return undefined;
}
