import { z } from 'zod';
import type { BranchId } from '../../../core/ids.ts';
import type { SourceState } from '../../../control/store/source-index.ts';
import type { Waiting } from '../../../ports/waiting.ts';
import type { ApiContext } from '../../api-context.ts';
import { pageQuery, type PageQuery } from '../../schemas/page-query.ts';
import { branchPath } from '../../schemas/path.ts';
import { pageSchema } from '../../views/page-view.ts';
import { sourceSchema, sourceView } from '../../views/source-view.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { sourcePage } from './source-page.ts';
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
  handle: ({ params, query }, context, { signal }) => {
    return pageOf(context, { branchId: branchOf(params), state: 'there', query }, { signal });
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
  handle: ({ params, query }, context, { signal }) => {
    return pageOf(context, { branchId: branchOf(params), state: 'deleted', query }, { signal });
  },
});

interface Listing {
  readonly branchId: BranchId;
  readonly state: SourceState;
  readonly query: PageQuery;
}

async function pageOf(context: ApiContext, { branchId, state, query }: Listing, options: Waiting): Promise<Reply> {
  const { addresses } = context;
  const { page, items } = await sourcePage(context, { branchId, state, query }, options);
  const sources = items.map((source) => sourceView(source, addresses));
  return ok({ projectId: addresses.projectId, branchId, page, sources });
}
