import { progressDocuments } from '../../documents/progress-document.ts';
import { progressId } from '../../documents/document-id.ts';
import type { SinkKey } from '../../core/ids.ts';
import { isRefused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { clearStatistics } from '../../core/progress/statistics.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { listDocuments } from '../../documents/list-documents.ts';

/**
 * Counts what is imported anew from here on, for people, and acknowledges holes: of each incarnation of the sinks that are meant, deleted ones
 * included. What waits and the numbers of conservation stay. May be done again.
 */
export async function clearStatisticsOf(
  { catalog }: AdminContext,
  isMeant: (key: SinkKey) => boolean,
  options: Waiting,
): Promise<void> {
  const change = (before: SinkProgress | undefined): SinkProgress | undefined => {
    const after = before === undefined ? undefined : clearStatistics(before);
    return after === undefined || isRefused(after) ? undefined : after;
  };
  for (const { key, incarnation } of await listDocuments(catalog, { kind: progressDocuments }, options))
    if (isMeant(key))
      await changeDocument(catalog, { kind: progressDocuments, id: progressId(incarnation), change }, options);
}
