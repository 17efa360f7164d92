import { z } from 'zod';
import { pageQuery } from '../schemas/page-query.ts';
import { sourcePath } from '../schemas/path.ts';
import { pageSchema, paginate } from '../views/page-view.ts';
import { sinkSchema, sinkView } from '../views/sink-view.ts';
import { sourceKeyOf } from './key-of-path.ts';
import { defineRoute, ok } from './route.ts';

const schema = z
  .object({
    projectId: z.int(),
    branchId: z.int(),
    sourceId: z.string(),
    page: pageSchema,
    sinks: z.array(sinkSchema),
  })
  .meta({ id: 'SinkList' });

export const listSinksRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/sources/{sourceId}/sinks',
  access: 'read',
  operationId: 'listSinks',
  summary: 'List the sinks of a source, ascending by id.',
  params: sourcePath,
  query: pageQuery,
  responses: { 200: { description: 'A page of sinks.', schema } },
  handle: async ({ params, query }, { definitions, addresses: { projectId } }, { signal }) => {
    const key = sourceKeyOf(params);
    await definitions.source(key, { signal });
    const { page, items } = paginate(await definitions.sinks(key, { signal }), query, ({ sinkId }) => sinkId);
    return ok({ projectId, ...key, page, sinks: items.map((sink) => sinkView(sink, projectId)) });
  },
});
