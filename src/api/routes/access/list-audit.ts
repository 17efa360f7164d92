import { z } from 'zod';
import type { AuditEntry } from '../../../core/audit-entry.ts';
import { branchPrefix } from '../../../documents/document-id.ts';
import type { BranchId } from '../../../core/ids.ts';
import { limits } from '../../../core/limits.ts';
import type { Catalog } from '../../../ports/catalog.ts';
import type { Waiting } from '../../../ports/event-log.ts';
import { entriesOf } from '../../../control/audit/old-entries.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import { branchPath } from '../../schemas/path.ts';
import { auditEntrySchema, auditEntryView } from '../../views/audit-view.ts';
import { pageSchema } from '../../views/page-view.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { defineRoute, ok } from '../../route/route.ts';

const schema = z
  .object({ projectId: z.int(), branchId: z.int(), page: pageSchema, entries: z.array(auditEntrySchema) })
  .meta({ id: 'AuditTrail' });

const text = maybe(z.string());

const query = z.object({
  afterId: maybe(integerText({ name: 'afterId', min: 1, max: 999_999_999_999_999 })).meta({
    description: 'Show what came before the entry with this id.',
  }),
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.listPage })).meta({
    description: `Items on a page, ${limits.listPage} when absent.`,
  }),
  sourceId: text.meta({ description: 'Of this source and its sinks.' }),
  sinkId: text.meta({ description: 'Of sinks with this id.' }),
  tokenId: text.meta({ description: 'Of this token.' }),
  operation: text.meta({ description: 'An `operationId`, for example `updateSink`.' }),
  by: text.meta({ description: 'Made with the token that has this id.' }),
  outcome: maybe(z.enum(['processing', 'success', 'error', 'interrupted'])),
});

type Filter = Omit<z.output<typeof query>, 'afterId' | 'limit'>;

export const listAuditRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/audit',
  access: 'read',
  operationId: 'listAudit',
  summary: `List who changed what through the API, the newest first; changes of tokens stand in the trail of branch 1. About ${limits.auditEntries} entries of ${limits.auditAgeMs / 86_400_000} days are kept.`,
  params: branchPath,
  query,
  responses: { 200: { description: 'A page of entries.', schema } },
  handle: async ({ params, query }, { catalog, addresses }, { signal }) => {
    const branchId = branchOf(params);
    const { afterId, limit = limits.listPage, ...filter } = query;
    const { shown, totalCount } = await readPage(catalog, { branchId, afterId, limit, filter }, { signal });
    const after = afterId === undefined ? '' : String(afterId);
    const page = { limit, totalCount, afterId: after, lastId: shown.at(-1)?.id ?? '' };
    const entries = shown.map((entry) => auditEntryView(entry, addresses));
    return ok({ projectId: addresses.projectId, branchId, page, entries });
  },
});

interface PageRequest {
  readonly branchId: BranchId;
  readonly afterId: number | undefined;
  readonly limit: number;
  readonly filter: Filter;
}

interface FoundPage {
  readonly shown: readonly AuditEntry[];
  readonly totalCount: number;
}

/** Without a filter the page alone is read, else the whole trail, for the count of all that fits. */
async function readPage(
  catalog: Catalog,
  { branchId, afterId, limit, filter }: PageRequest,
  options: Waiting,
): Promise<FoundPage> {
  const shown: AuditEntry[] = [];
  if (Object.values(filter).every((wanted) => wanted === undefined)) {
    const from = { branchId, pageSize: limit, ...(afterId === undefined ? {} : { before: afterId }) };
    for await (const entry of entriesOf(catalog, from, options)) if (shown.push(entry) === limit) break;
    return { shown, totalCount: await catalog.count('audit', branchPrefix(branchId), options) };
  }
  let totalCount = 0;
  for await (const entry of entriesOf(catalog, { branchId }, options)) {
    if (!matches(entry, filter)) continue;
    totalCount += 1;
    if ((afterId === undefined || Number(entry.id) < afterId) && shown.length < limit) shown.push(entry);
  }
  return { shown, totalCount };
}

function matches({ object, operation, by, outcome }: AuditEntry, filter: Filter): boolean {
  const [sourceId, sinkId, tokenId] = [
    object?.kind === 'token' ? undefined : object?.sourceId,
    object?.kind === 'sink' ? object.sinkId : undefined,
    object?.kind === 'token' ? object.tokenId : undefined,
  ];
  const given = { sourceId, sinkId, tokenId, operation, by: by.tokenId, outcome };
  return Object.entries(filter).every(
    ([name, wanted]) => wanted === undefined || given[name as keyof typeof given] === wanted,
  );
}
