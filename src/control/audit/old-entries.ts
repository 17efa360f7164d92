import { auditDocuments } from '../../documents/audit-document.ts';
import { auditId, auditNumberAt, branchOf, branchPrefix } from '../../documents/document-id.ts';
import type { AuditEntry } from '../../core/audit-entry.ts';
import type { Clock } from '../../core/clock.ts';
import type { BranchId } from '../../core/ids.ts';
import { limits } from '../../core/limits.ts';
import type { Catalog, Versioned } from '../../ports/catalog.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { removeDocument } from '../../documents/change-document.ts';

const largestPage = 100;

export interface AuditBounds {
  /** Of each branch. */
  readonly entries: number;
  /** So many more are left before they are counted off: that reads all of them. */
  readonly slack: number;
  readonly ageMs: number;
}

/** How many entries a process begins before it looks at the bounds, apart from the regular rounds. */
export const auditSlack = 500;
const auditBounds: AuditBounds = { entries: limits.auditEntries, slack: auditSlack, ageMs: limits.auditAgeMs };

/** Removes what is older than the bound, and the oldest of what is more than the bound. */
export async function removeOldEntries(
  { catalog, clock }: { readonly catalog: Catalog; readonly clock: Clock },
  options: Waiting,
  { entries, slack, ageMs }: AuditBounds = auditBounds,
): Promise<void> {
  for (const branchId of await branchesOf(catalog, options)) {
    const oldest = auditNumberAt(Math.max(0, clock.now() - ageMs));
    await removeAfter(catalog, { branchId, after: auditId(branchId, oldest) }, options);
    const prefix = branchPrefix(branchId);
    if ((await catalog.count('audit', prefix, options)) <= entries + slack) continue;
    let kept = 0;
    for await (const { id } of entriesOf(catalog, { branchId }, options)) {
      kept += 1;
      if (kept < entries) continue;
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
    const query = { collection: 'audit', prefix: branchPrefix(branchId), after, limit: largestPage } as const;
    const page = await catalog.list(query, options);
    for (const { id } of page) await removeDocument(catalog, { collection: 'audit', id }, options);
    if (page.length < largestPage) return;
  }
}

interface EntryQuery {
  readonly branchId: BranchId;
  readonly before?: number;
  readonly pageSize?: number;
}

/**
 * The entries of a branch that this release can read, the newest first, those before the number `before` if one is
 * given; read in pages.
 */
export async function* entriesOf(
  catalog: Catalog,
  { branchId, before, pageSize = largestPage }: EntryQuery,
  options: Waiting,
): AsyncGenerator<AuditEntry> {
  const prefix = branchPrefix(branchId);
  let after = before === undefined ? undefined : auditId(branchId, before);
  for (;;) {
    const page: readonly Versioned[] = await catalog.list(
      { collection: 'audit', prefix, limit: pageSize, ...(after === undefined ? {} : { after }) },
      options,
    );
    for (const { value } of page) {
      const entry = auditDocuments.tryParse(value);
      if (entry !== undefined) yield entry;
    }
    after = page.at(-1)?.id;
    if (page.length < pageSize) return;
  }
}

/** Branches that have a trail, without reading the trails. */
export async function branchesOf(catalog: Catalog, options: Waiting): Promise<readonly BranchId[]> {
  const branches: BranchId[] = [];
  for (let after: string | undefined; ;) {
    const query = { collection: 'audit', prefix: '', limit: 1, ...(after === undefined ? {} : { after }) } as const;
    const [first] = await catalog.list(query, options);
    if (first === undefined) return branches;
    const branchId = branchOf(first.id);
    if (branchId !== undefined) branches.push(branchId);
    // Behind every entry of the branch, or behind one that nobody here has written.
    after = branchId === undefined ? first.id : `${branchPrefix(branchId)}~`;
  }
}
