import type { AuditEntry } from '../../core/audit-entry.ts';
import type { BranchId } from '../../core/ids.ts';
import { branchPrefix } from '../../documents/document-id.ts';
import type { Waiting } from '../../ports/waiting.ts';
import { entriesOf } from '../audit/old-entries.ts';
import type { Parts } from '../parts.ts';

/** Entries that have all that is named. */
interface AuditFilter {
  readonly sourceId?: string | undefined;
  readonly sinkId?: string | undefined;
  readonly tokenId?: string | undefined;
  readonly operation?: string | undefined;
  /** Id of the token that it was made with. */
  readonly by?: string | undefined;
  readonly outcome?: AuditEntry['outcome'] | undefined;
}

export interface AuditPageRequest {
  readonly branchId: BranchId;
  /** Number of the entry before which the page begins. */
  readonly before: number | undefined;
  readonly limit: number;
  readonly filter: AuditFilter;
}

export interface AuditPage {
  /** The newest first. */
  readonly entries: readonly AuditEntry[];
  /** Of all that fit. */
  readonly totalCount: number;
}

/** A page of a branch's trail. Without a filter the page alone is read, else the whole trail, for the count of all that fits. */
export async function readAuditPage(
  { catalog }: Pick<Parts, 'catalog'>,
  { branchId, before, limit, filter }: AuditPageRequest,
  options: Waiting,
): Promise<AuditPage> {
  const entries: AuditEntry[] = [];
  if (Object.values(filter).every((wanted) => wanted === undefined)) {
    const from = { branchId, pageSize: limit, ...(before === undefined ? {} : { before }) };
    for await (const entry of entriesOf(catalog, from, options)) if (entries.push(entry) === limit) break;
    return { entries, totalCount: await catalog.count('audit', branchPrefix(branchId), options) };
  }
  let totalCount = 0;
  for await (const entry of entriesOf(catalog, { branchId }, options)) {
    if (!matches(entry, filter)) continue;
    totalCount += 1;
    if ((before === undefined || Number(entry.id) < before) && entries.length < limit) entries.push(entry);
  }
  return { entries, totalCount };
}

function matches({ object, operation, by, outcome }: AuditEntry, filter: AuditFilter): boolean {
  const [sourceId, sinkId, tokenId] = [
    object !== undefined && 'sourceId' in object ? object.sourceId : undefined,
    object?.kind === 'sink' ? object.sinkId : undefined,
    object?.kind === 'token' ? object.tokenId : undefined,
  ];
  const given = { sourceId, sinkId, tokenId, operation, by: by.tokenId, outcome };
  return Object.entries(filter).every(
    ([name, wanted]) => wanted === undefined || given[name as keyof typeof given] === wanted,
  );
}
