import { sinkStatusDocuments } from '../../documents/sink-status-document.ts';
import { isStale, type SinkStatus } from '../../core/sink-status.ts';
import type { Clock } from '../../core/clock.ts';
import type { Catalog } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { listReadable } from '../../documents/list-documents.ts';

/**
 * What keeps sinks from being served, without statuses that nobody stands behind any more; `prefix` names one
 * incarnation, or is empty for all.
 */
export async function readStatuses(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  prefix: string,
  options: Waiting,
): Promise<readonly SinkStatus[]> {
  const { documents } = await listReadable(catalog, { kind: sinkStatusDocuments, prefix }, options);
  return documents.filter((status) => !isStale(status, clock.now()));
}
