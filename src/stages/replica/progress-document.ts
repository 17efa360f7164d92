import { changeDocument } from '../../documents/change-document.ts';
import { progressId } from '../../documents/document-id.ts';
import { progressDocuments } from '../../documents/progress-document.ts';
import { readDocument, type StoredDocument } from '../../documents/read-document.ts';
import type { Incarnation } from '../../core/ids.ts';
import { isRefused, type Refused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';

/** A progress document with its revision. */
export type ReadProgress = StoredDocument<SinkProgress>;

export type Transition = (progress: SinkProgress) => SinkProgress | Refused;

/**
 * Reads the document as it is now; undefined when there is none. `catalog.newerDocument` even for one that this release
 * may read: a stage would have to heed more than this release understands of it.
 */
export async function readProgress(
  catalog: Catalog,
  incarnation: Incarnation,
  options: Waiting,
): Promise<ReadProgress | undefined> {
  const id = progressId(incarnation);
  const found = await readDocument(catalog, { kind: progressDocuments, id }, options);
  if (found !== undefined) progressDocuments.requireWritable(found.value, id);
  return found;
}

export interface ProgressChange extends Waiting {
  readonly transition: Transition;
  /** The document as it was read last, to begin with; without it the document is read first. */
  readonly known?: ReadProgress;
}

/** The document as it stands after a change: written by it, or as it was when the transition was refused. */
export type ChangedProgress = ReadProgress &
  ({ readonly applied: true } | { readonly applied: false; readonly refusal: Refused });

/**
 * Applies a transition until it is written or refused; undefined when there is no document. Rejects while nobody can tell what has
 * happened: the caller looks again later. `catalog.newerDocument` before the transition is asked, as `readProgress`.
 */
export async function transit(
  catalog: Catalog,
  incarnation: Incarnation,
  { transition, known, signal }: ProgressChange,
): Promise<ChangedProgress | undefined> {
  let refusal: Refused | undefined;
  const change = (before: SinkProgress | undefined): SinkProgress | undefined => {
    if (before !== undefined) progressDocuments.requireWritable(before, place.id);
    const after = before && transition(before);
    refusal = after !== undefined && isRefused(after) ? after : undefined;
    return after === undefined || isRefused(after) ? undefined : after;
  };
  const place = { kind: progressDocuments, id: progressId(incarnation) };
  const stands = await changeDocument(catalog, { ...place, known, change }, { signal });
  if (stands === undefined) return undefined;
  return refusal === undefined ? { ...stands, applied: true } : { ...stands, applied: false, refusal };
}
