import { progressId } from '../../core/documents/document-id.ts';
import { isSpent } from '../../core/progress/switch.ts';
import type { Catalog, Collection } from '../../ports/catalog.ts';
import type { EventLog, Waiting } from '../../ports/event-log.ts';
import type { TableStore } from '../../ports/table-store.ts';
import type { ReadProgress } from './progress-document.ts';

export interface PurgePorts {
  readonly catalog: Catalog;
  readonly sinkLog: EventLog;
  readonly tables: TableStore;
}

/**
 * Removes a deleted incarnation that has nothing left to do: the document by compare-and-set, then topic, ledger row
 * and what hangs on it. True when it is gone.
 */
export async function purge(
  { catalog, sinkLog, tables }: PurgePorts,
  { revision, value }: ReadProgress,
  options: Waiting,
): Promise<boolean> {
  const partitions = Object.keys(value.entries).map(Number);
  if (!isSpent(value, partitions)) return false;
  if (!(await catalog.remove('progress', progressId(value.incarnation), revision, options))) return false;
  await sinkLog.deleteTopic(value.topics.sink, options);
  await tables.deleteLedger(value.incarnation, options);
  const prefix = `${progressId(value.incarnation)}/`;
  for (const collection of ['mapping', 'sink-status', 'import-history'] as const)
    await removeAll(catalog, { collection, prefix, ...options });
  return true;
}

async function removeAll(
  catalog: Catalog,
  { collection, prefix, signal }: { collection: Collection; prefix: string; signal: AbortSignal },
): Promise<void> {
  for (const { id, revision } of await catalog.list({ collection, prefix }, { signal })) {
    await catalog.remove(collection, id, revision, { signal });
  }
}
