import { parseAuditDocument } from '../../core/documents/audit-document.ts';
import { auditId, branchPrefix } from '../../core/documents/document-id.ts';
import type { AuditEntry } from '../../core/audit-entry.ts';
import type { BranchId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Catalog, Versioned } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/event-log.ts';
import type { AdminContext } from '../admin-context.ts';
import { removeDocument } from '../store/change-document.ts';
import { end, outcomeOf } from './audited.ts';

const pageSize = 100;
/** Whatever was open when a process died is younger than this by its last entry: no change takes as long. */
const longestChangeMs = 12 * limits.taskTimeoutMs;
/** So many entries more than the bound are left before they are counted off: that reads all of them. */
const slack = 500;

/** Ends the entries of changes whose process died: as their task ended, else as `interrupted`. */
export async function endOrphanedEntries(context: AdminContext, options: Waiting): Promise<void> {
  for (const branchId of await branchesOf(context.catalog, options)) {
    let newest: number | undefined;
    for await (const entry of entriesOf(context.catalog, { branchId }, options)) {
      newest ??= Date.parse(entry.at);
      if (newest - Date.parse(entry.at) > longestChangeMs) break;
      if (entry.outcome === 'processing' && !context.audit.isOpen(entry)) await endOrphan(context, entry, options);
    }
  }
}

async function endOrphan(
  context: AdminContext,
  entry: Extract<AuditEntry, { readonly outcome: 'processing' }>,
  options: Waiting,
): Promise<void> {
  const { taskId, before } = entry;
  const task = taskId === undefined ? undefined : await context.tasks.find(taskId, options);
  if (task?.status === 'processing') return;
  await end(context, { entry, before }, outcomeOf(task) ?? { outcome: 'interrupted' });
}

/** Removes what is older than the bound, and the oldest of what is more than the bound. */
export async function removeOldEntries({ catalog, clock }: AdminContext, options: Waiting): Promise<void> {
  for (const branchId of await branchesOf(catalog, options)) {
    const oldest = Math.max(0, clock.now() - limits.auditAgeMs) * 100;
    await removeAfter(catalog, { branchId, after: auditId(branchId, oldest) }, options);
    const prefix = branchPrefix(branchId);
    if ((await catalog.count('audit', prefix, options)) <= limits.auditEntries + slack) continue;
    let kept = 0;
    for await (const { id } of entriesOf(catalog, { branchId }, options)) {
      kept += 1;
      if (kept < limits.auditEntries) continue;
      await removeAfter(catalog, { branchId, after: auditId(branchId, Number(id)) }, options);
      break;
    }
  }
}

async function removeAfter(
  catalog: Catalog,
  { branchId, after }: { readonly branchId: BranchId; readonly after: string },
  options: Waiting,
): Promise<void> {
  for (;;) {
    const query = { collection: 'audit', prefix: branchPrefix(branchId), after, limit: pageSize } as const;
    const page = await catalog.list(query, options);
    for (const { id } of page) await removeDocument(catalog, { collection: 'audit', id }, options);
    if (page.length < pageSize) return;
  }
}

/** The entries of a branch, the newest first, those before the number `before` if one is given; read in pages. */
export async function* entriesOf(
  catalog: Catalog,
  { branchId, before }: { readonly branchId: BranchId; readonly before?: number },
  options: Waiting,
): AsyncGenerator<AuditEntry> {
  const prefix = branchPrefix(branchId);
  let after = before === undefined ? undefined : auditId(branchId, before);
  for (;;) {
    const page: readonly Versioned[] = await catalog.list(
      { collection: 'audit', prefix, limit: pageSize, ...(after === undefined ? {} : { after }) },
      options,
    );
    for (const { value } of page) yield parseAuditDocument(value);
    after = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}

/** Branches that have a trail, without reading the trails. */
async function branchesOf(catalog: Catalog, options: Waiting): Promise<readonly BranchId[]> {
  const branches: BranchId[] = [];
  for (let after: string | undefined; ;) {
    const query = { collection: 'audit', prefix: '', limit: 1, ...(after === undefined ? {} : { after }) } as const;
    const [first] = await catalog.list(query, options);
    if (first === undefined) return branches;
    const { branchId } = parseAuditDocument(first.value);
    branches.push(branchId);
    // Behind every entry of the branch.
    after = `${branchPrefix(branchId)}~`;
  }
}
