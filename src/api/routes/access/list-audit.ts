import { z } from 'zod';
import { limits } from '../../../core/limits.ts';
import { readAuditPage } from '../../../control/reports/audit-page.ts';
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

export const listAuditRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/audit',
  access: 'read',
  operationId: 'listAudit',
  summary: `List who changed what through the API, the newest first; changes of tokens stand in the trail of branch 1. About ${limits.auditEntries} entries of ${limits.auditAgeMs / 86_400_000} days are kept.`,
  params: branchPath,
  query,
  responses: { 200: { description: 'A page of entries.', schema } },
  handle: async ({ params, query }, context, { signal }) => {
    const branchId = branchOf(params);
    const { afterId, limit = limits.listPage, ...filter } = query;
    const found = await readAuditPage(context, { branchId, before: afterId, limit, filter }, { signal });
    const { addresses } = context;
    const after = afterId === undefined ? '' : String(afterId);
    const lastId = found.entries.at(-1)?.id ?? '';
    const page = { limit, totalCount: found.totalCount, afterId: after, lastId };
    const entries = found.entries.map((entry) => auditEntryView(entry, addresses));
    return ok({ projectId: addresses.projectId, branchId, page, entries });
  },
});
