import { z } from 'zod';
import type { BranchId } from '../../../core/ids.ts';
import type { Source } from '../../../core/source.ts';
import type { ApiContext } from '../../api-context.ts';
import { pageQuery, type PageQuery } from '../../schemas/page-query.ts';
import { branchPath } from '../../schemas/path.ts';
import { pageSchema, paginate } from '../../views/page-view.ts';
import { sourceSchema, sourceView } from '../../views/source-view.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { defineRoute, ok, type Reply } from '../../route/route.ts';

const schema = z
  .object({ projectId: z.int(), branchId: z.int(), page: pageSchema, sources: z.array(sourceSchema) })
  .meta({ id: 'SourceList' });
const responses = { 200: { description: 'A page of sources.', schema } };

export const listSourcesRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/sources',
  access: 'read',
  operationId: 'listSources',
  summary: 'List the sources of a branch, ascending by id.',
  params: branchPath,
  query: pageQuery,
  responses,
  handle: async ({ params, query }, context, { signal }) => {
    const branchId = branchOf(params);
    const all = await context.definitions.sources(branchId, { signal });
    return pageOf(context, { branchId, all, query });
  },
});

export const listDeletedSourcesRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/sources/deleted',
  access: 'read',
  operationId: 'listDeletedSources',
  summary: 'List the sources of a branch that are deleted and can be undeleted, ascending by id.',
  params: branchPath,
  query: pageQuery,
  responses,
  handle: async ({ params, query }, context, { signal }) => {
    const branchId = branchOf(params);
    const all = await context.definitions.deletedSources(branchId, { signal });
    return pageOf(context, { branchId, all, query });
  },
});

interface Listing {
  readonly branchId: BranchId;
  readonly all: readonly Source[];
  readonly query: PageQuery;
}

function pageOf({ addresses }: ApiContext, { branchId, all, query }: Listing): Reply {
  const { page, items } = paginate(all, query, ({ sourceId }) => sourceId);
  const sources = items.map((source) => sourceView(source, addresses));
  return ok({ projectId: addresses.projectId, branchId, page, sources });
}
