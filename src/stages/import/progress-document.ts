import { parseProgressDocument } from '../../core/documents/progress-document.ts';
import { progressId } from '../../core/documents/document-id.ts';
import type { Incarnation } from '../../core/ids.ts';
import { isRefused, type Refused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import type { Catalog } from '../../ports/catalog.ts';

export interface ReadProgress {
  readonly revision: number;
  readonly value: SinkProgress;
}

export type Transition = (progress: SinkProgress) => SinkProgress | Refused;

/**
 * Reads the document and applies a transition until it is written or refused. Answers the document as it stands after
 * that: written by us, or as it was when the transition was refused; undefined when there is none. An unclear answer of
 * the catalog rejects: the caller looks again later and finds what happened.
 */
export async function transit(
  catalog: Catalog,
  incarnation: Incarnation,
  { transition, signal }: { readonly transition: Transition; readonly signal: AbortSignal },
): Promise<(ReadProgress & { readonly applied: boolean }) | undefined> {
  const id = progressId(incarnation);
  for (;;) {
    const found = await catalog.get('progress', id, { signal });
    if (found === undefined) return undefined;
    const before = parseProgressDocument(found.value);
    const after = transition(before);
    if (isRefused(after)) return { revision: found.revision, value: before, applied: false };
    const write = { collection: 'progress', id, expected: found.revision, value: after } as const;
    const result = await catalog.compareAndSet(write, { signal });
    if (result.kind === 'written') return { revision: result.revision, value: after, applied: true };
  }
}
