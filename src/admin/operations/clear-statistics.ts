import { progressId } from '../../core/documents/document-id.ts';
import { parseProgressDocument } from '../../core/documents/progress-document.ts';
import type { Incarnation } from '../../core/ids.ts';
import { isRefused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { clearStatistics } from '../../core/progress/statistics.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { changeDocument } from '../store/change-document.ts';

/** Counts what is imported of a sink anew from here on, for people; what waits and the numbers of conservation stay. May be done again. */
export async function clearSinkStatistics(
  { catalog }: AdminContext,
  incarnation: Incarnation,
  options: Waiting,
): Promise<void> {
  const change = (before: SinkProgress | undefined): SinkProgress | undefined => {
    const after = before === undefined ? undefined : clearStatistics(before);
    return after === undefined || isRefused(after) ? undefined : after;
  };
  const id = progressId(incarnation);
  await changeDocument(catalog, { collection: 'progress', id, parse: parseProgressDocument, change }, options);
}
