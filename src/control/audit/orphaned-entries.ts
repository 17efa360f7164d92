import type { OpenAuditEntry } from '../../core/audit-entry.ts';
import { limits } from '../../core/limits.ts';
import type { Waiting } from '../../ports/waiting.ts';
import type { ChangeParts } from './change.ts';
import { end, outcomeOf } from './ending.ts';
import { branchesOf, entriesOf } from './old-entries.ts';

/**
 * No change takes as long as this: what was open when a process died is at most this much older than its last entry.
 */
const longestChangeMs = 12 * limits.taskTimeoutMs;

/** Ends the entries of changes whose process died: as their task ended, else as `interrupted`. */
export async function endOrphanedEntries(parts: ChangeParts, options: Waiting): Promise<void> {
  for (const branchId of await branchesOf(parts.catalog, options)) {
    let newest: number | undefined;
    for await (const entry of entriesOf(parts.catalog, { branchId }, options)) {
      newest ??= Date.parse(entry.at);
      if (newest - Date.parse(entry.at) > longestChangeMs) break;
      if (entry.outcome === 'processing' && !parts.audit.isOpen(entry)) await endOrphan(parts, entry, options);
    }
  }
}

async function endOrphan(parts: ChangeParts, entry: OpenAuditEntry, options: Waiting): Promise<void> {
  const { taskId, before } = entry;
  const task = taskId === undefined ? undefined : await parts.tasks.find(taskId, options);
  if (task?.status === 'processing') return;
  await end(parts, { entry, before }, outcomeOf(task) ?? { outcome: 'interrupted' });
}
