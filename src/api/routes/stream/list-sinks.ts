import { z } from 'zod';
import type { SourceKey } from '../../../core/ids.ts';
import type { Sink } from '../../../core/sink.ts';
import type { ApiContext } from '../../api-context.ts';
import { pageQuery, type PageQuery } from '../../schemas/page-query.ts';
import { sourcePath } from '../../schemas/path.ts';
import { pageSchema, paginate } from '../../views/page-view.ts';
import { sinkSchema, sinkView } from '../../views/sink-view.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sourceKind } from './object-kind.ts';
import { defineRoute, ok, type Reply } from '../../route/route.ts';

const schema = z
  .object({
    projectId: z.int(),
    branchId: z.int(),
    sourceId: z.string(),
    page: pageSchema,
    sinks: z.array(sinkSchema),
  })
  .meta({ id: 'SinkList' });
const responses = { 200: { description: 'A page of sinks.', schema } };

export const listSinksRoute = defineRoute({
  method: 'GET',
  path: `${sourceKind.path}/sinks`,
  access: 'read',
  operationId: 'listSinks',
  summary: 'List the sinks of a source, ascending by id.',
  params: sourcePath,
  query: pageQuery,
  responses,
  handle: async ({ params, query }, context, { signal }) => {
    const key = sourceKeyOf(params);
    await context.definitions.source(key, { signal });
    return pageOf(context, { key, all: await context.definitions.sinks(key, { signal }), query });
  },
});

export const listDeletedSinksRoute = defineRoute({
  method: 'GET',
  path: `${sourceKind.path}/sinks/deleted`,
  access: 'read',
  operationId: 'listDeletedSinks',
  summary: 'List the sinks of a source that are deleted and can be undeleted, ascending by id.',
  params: sourcePath,
  query: pageQuery,
  responses,
  handle: async ({ params, query }, context, { signal }) => {
    const key = sourceKeyOf(params);
    await context.definitions.source(key, { signal });
    return pageOf(context, { key, all: await context.definitions.deletedSinks(key, { signal }), query });
  },
});

interface Listing {
  readonly key: SourceKey;
  readonly all: readonly Sink[];
  readonly query: PageQuery;
}

function pageOf({ addresses: { projectId } }: ApiContext, { key, all, query }: Listing): Reply {
  const { page, items } = paginate(all, query, ({ sinkId }) => sinkId);
  return ok({ projectId, ...key, page, sinks: items.map((sink) => sinkView(sink, projectId)) });
}
