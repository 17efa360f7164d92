import { z } from 'zod';
import { pageQuery } from '../schemas/page-query.ts';
import { branchPath } from '../schemas/path.ts';
import { pageSchema, paginate } from '../views/page-view.ts';
import { sourceSchema, sourceView } from '../views/source-view.ts';
import { branchOf } from './key-of-path.ts';
import { defineRoute, ok } from './route.ts';

const schema = z
  .object({ projectId: z.int(), branchId: z.int(), page: pageSchema, sources: z.array(sourceSchema) })
  .meta({ id: 'SourceList' });

export const listSourcesRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/sources',
  access: 'read',
  operationId: 'listSources',
  summary: 'List the sources of a branch, ascending by id.',
  params: branchPath,
  query: pageQuery,
  responses: { 200: { description: 'A page of sources.', schema } },
  handle: async ({ params, query }, { definitions, addresses }, { signal }) => {
    const branchId = branchOf(params);
    const { page, items } = paginate(
      await definitions.sources(branchId, { signal }),
      query,
      ({ sourceId }) => sourceId,
    );
    const sources = items.map((source) => sourceView(source, addresses));
    return ok({ projectId: addresses.projectId, branchId, page, sources });
  },
});
