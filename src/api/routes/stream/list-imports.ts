import { z } from 'zod';
import { limits } from '../../../core/limits.ts';
import { integerText, maybe } from '../../schemas/field.ts';
import { sinkPath } from '../../schemas/path.ts';
import { importSchema, importView } from '../../views/import-view.ts';
import { pageSchema } from '../../views/page-view.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { sinkKind } from './object-kind.ts';
import { defineRoute, ok } from '../../route/route.ts';

const schema = z
  .object({
    projectId: z.int(),
    branchId: z.int(),
    sourceId: z.string(),
    sinkId: z.string(),
    page: pageSchema,
    imports: z.array(importSchema),
  })
  .meta({ id: 'ImportList' });

const query = z.object({
  afterId: maybe(integerText({ name: 'afterId', min: 1, max: Number.MAX_SAFE_INTEGER })).meta({
    description: 'Show what came before the import with this number.',
  }),
  limit: maybe(integerText({ name: 'limit', min: 1, max: limits.listPage })).meta({
    description: `Items on a page, ${limits.listPage} when absent.`,
  }),
});

export const listImportsRoute = defineRoute({
  method: 'GET',
  path: `${sinkKind.path}/imports`,
  access: 'read',
  operationId: 'listImports',
  summary: `List the last imports of a sink, the newest first; about ${limits.importHistory} are kept.`,
  params: sinkPath,
  query,
  responses: { 200: { description: 'A page of imports that have ended.', schema } },
  handle: async ({ params, query }, { definitions, addresses: { projectId } }, { signal }) => {
    const { branchId, sourceId, sinkId } = sinkKeyOf(params);
    const { incarnation } = await definitions.sink({ branchId, sourceId, sinkId }, { signal });
    const all = await definitions.imports(incarnation, { signal });
    const { afterId = Number.POSITIVE_INFINITY, limit = limits.listPage } = query;
    const shown = all
      .filter(({ number }) => number < afterId)
      .toReversed()
      .slice(0, limit);
    const page = {
      limit,
      totalCount: all.length,
      afterId: query.afterId === undefined ? '' : String(query.afterId),
      lastId: String(shown.at(-1)?.number ?? ''),
    };
    return ok({ projectId, branchId, sourceId, sinkId, page, imports: shown.map(importView) });
  },
});
