import { earlierIncarnationId, progressId } from '../../documents/document-id.ts';
import { changeDocument, removeDocument } from '../../documents/change-document.ts';
import { isUnusable } from '../../documents/unusable.ts';
import { earlierIncarnationDocuments } from '../../documents/earlier-incarnation-document.ts';
import type { EarlierIncarnation } from '../../core/earlier-incarnation.ts';
import { partitionsOf, type SinkProgress } from '../../core/progress/sink-progress.ts';
import { importedStatistics } from '../../core/progress/statistics.ts';
import { isSpent } from '../../core/progress/switch.ts';
import type { Catalog, Collection } from '../../ports/catalog.ts';
import type { Ownership } from '../../ports/claimable.ts';
import type { EventLog } from '../../ports/event-log.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ImportLedger } from '../../ports/import-ledger.ts';
import type { ReadProgress } from '../replica/progress-document.ts';

export interface PurgePorts {
  readonly catalog: Catalog;
  readonly sinkLog: EventLog;
  readonly ledger: Pick<ImportLedger, 'deleteLedger'>;
  readonly ownership: Ownership;
}

/** True when a deleted incarnation has nothing left to do in the partitions that it knows. */
export function isSpentDocument({ value }: Pick<ReadProgress, 'value'>): boolean {
  return isSpent(value, partitionsOf(value));
}

/**
 * Removes the document of a deleted incarnation that has nothing left to do, by compare-and-set. True when it is gone. What it has
 * imported is kept before that, so that the statistics of the sink go on.
 */
export async function purgeDocument(
  { catalog }: PurgePorts,
  { revision, value }: ReadProgress,
  options: Waiting,
): Promise<boolean> {
  if (!isSpentDocument({ value })) return false;
  await keepStatistics(catalog, value, options);
  return catalog.remove('progress', progressId(value.incarnation), revision, options);
}

/** Of a source that was deleted for good nothing is kept. A note that only a newer release may write stays as it is. */
async function keepStatistics(catalog: Catalog, progress: SinkProgress, options: Waiting): Promise<void> {
  const { key, incarnation, dropped } = progress;
  const imported = importedStatistics(progress);
  const kind = earlierIncarnationDocuments;
  const id = earlierIncarnationId(key, incarnation);
  if (dropped !== undefined || imported.rows + imported.dead === 0)
    return removeDocument(catalog, { collection: kind.collection, id }, options);
  const change = (before?: EarlierIncarnation): EarlierIncarnation => ({ ...before, key, incarnation, imported });
  try {
    await changeDocument(catalog, { kind, id, change }, options);
  } catch (thrown) {
    if (!isUnusable(thrown)) throw thrown;
  }
}

/**
 * Removes what an incarnation without a document leaves: ledger row, mappings, reports, and its topic last, by which a start of
 * the product finds what nobody came to remove. May be done again. A ledger row and a topic are known by a number and a name, which
 * another installation has given as well: rejects with `installation.foreign` and the like rather than remove that one's.
 */
export async function purgeRest(
  { catalog, sinkLog, ledger, ownership }: PurgePorts,
  { incarnation, topics }: SinkProgress,
  options: Waiting,
): Promise<void> {
  await ownership.assertOurs('tables', options);
  await ledger.deleteLedger(incarnation, options);
  const prefix = `${progressId(incarnation)}/`;
  for (const collection of ['mapping', 'sink-status', 'import-history'] as const)
    await removeAll(catalog, { collection, prefix, ...options });
  await ownership.assertOurs('sink-log', options);
  const there = await sinkLog.describeTopic(topics.sink, options);
  // Whoever made it again is not this incarnation.
  if (there !== undefined && there.identity !== topics.sinkIdentity) return;
  await sinkLog.deleteTopic(topics.sink, options);
}

async function removeAll(
  catalog: Catalog,
  { collection, prefix, signal }: { collection: Collection; prefix: string; signal: AbortSignal },
): Promise<void> {
  for (const { id, revision } of await catalog.list({ collection, prefix }, { signal })) {
    await catalog.remove(collection, id, revision, { signal });
  }
}
