import { parseProgressDocument } from '../../core/documents/progress-document.ts';
import { progressId } from '../../core/documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import { isRefused, type Refused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';

/** A progress document with its revision. */
export interface ReadProgress {
  readonly revision: number;
  readonly value: SinkProgress;
}

export type Transition = (progress: SinkProgress) => SinkProgress | Refused;

/** Reads the document as it is now; undefined when there is none. */
export async function readProgress(
  catalog: Catalog,
  incarnation: Incarnation,
  options: Waiting,
): Promise<ReadProgress | undefined> {
  const found = await catalog.get('progress', progressId(incarnation), options);
  return found === undefined ? undefined : { revision: found.revision, value: parseProgressDocument(found.value) };
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
 * Applies a transition until it is written or refused; undefined when there is no document. An unclear answer of the
 * catalog rejects: the caller looks again later and finds what happened.
 */
export async function transit(
  catalog: Catalog,
  incarnation: Incarnation,
  { transition, known, signal }: ProgressChange,
): Promise<ChangedProgress | undefined> {
  let current = known ?? (await readProgress(catalog, incarnation, { signal }));
  while (current !== undefined) {
    const value = transition(current.value);
    if (isRefused(value)) return { ...current, applied: false, refusal: value };
    const { revision: expected } = current;
    const write = { collection: 'progress', id: progressId(incarnation), expected, value } as const;
    const result = await catalog.compareAndSet(write, { signal });
    if (result.kind === 'written') return { revision: result.revision, value, applied: true };
    current = await readProgress(catalog, incarnation, { signal });
  }
  return undefined;
}
