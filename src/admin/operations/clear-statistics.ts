import { progressDocuments } from '../../documents/progress-document.ts';
import { progressId } from '../../documents/document-id.ts';
import type { SinkKey, SourceKey } from '../../core/ids.ts';
import { isRefused, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { clearStatistics } from '../../core/progress/statistics.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import type { Change } from '../audit/change.ts';
import { changeDocument } from '../../documents/change-document.ts';
import { listDocuments } from '../../documents/list-documents.ts';

export interface Clearing<Key> {
  readonly key: Key;
  readonly change: Change;
}

/**
 * Counts what is imported of a sink, deleted or not, anew from here on, for people, and acknowledges holes: of each of its incarnations.
 * What waits and the numbers of conservation stay. May be done again.
 */
export async function clearSinkStatistics(
  context: AdminContext,
  { key, change }: Clearing<SinkKey>,
  options: Waiting,
): Promise<void> {
  const { branchId, sourceId, sinkId } = await context.definitions.knownSink(key, options);
  await change.begin({ kind: 'sink', branchId, sourceId, sinkId }, options);
  const isMeant = (one: SinkKey): boolean =>
    one.branchId === branchId && one.sourceId === sourceId && one.sinkId === sinkId;
  await clear(context, isMeant, options);
}

/** The same of all sinks of a source. */
export async function clearSourceStatistics(
  context: AdminContext,
  { key, change }: Clearing<SourceKey>,
  options: Waiting,
): Promise<void> {
  const { branchId, sourceId } = await context.definitions.knownSource(key, options);
  await change.begin({ kind: 'source', branchId, sourceId }, options);
  await clear(context, (one) => one.branchId === branchId && one.sourceId === sourceId, options);
}

async function clear({ catalog }: AdminContext, isMeant: (key: SinkKey) => boolean, options: Waiting): Promise<void> {
  const change = (before: SinkProgress | undefined): SinkProgress | undefined => {
    const after = before === undefined ? undefined : clearStatistics(before);
    return after === undefined || isRefused(after) ? undefined : after;
  };
  for (const { key, incarnation } of await listDocuments(catalog, { kind: progressDocuments }, options))
    if (isMeant(key))
      await changeDocument(catalog, { kind: progressDocuments, id: progressId(incarnation), change }, options);
}
