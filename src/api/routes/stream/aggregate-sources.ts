import { Readable } from 'node:stream';
import { z } from 'zod';
import { aggregateSources, type AggregatedSource } from '../../../control/reports/aggregate-sources.ts';
import { longListJson } from '../../views/long-list-json.ts';
import type { Addresses } from '../../addresses.ts';
import { pageQuery } from '../../schemas/page-query.ts';
import { branchPath } from '../../schemas/path.ts';
import { newestFirst } from '../../../control/reports/file-order.ts';
import { fileSchema, fileView } from '../../views/file-view.ts';
import { pageSchema } from '../../views/page-view.ts';
import { sinkSchema, sinkView } from '../../views/sink-view.ts';
import { sourceSchema, sourceView } from '../../views/source-view.ts';
import { statisticsSchema, statisticsView } from '../../views/statistics-view.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { defineRoute } from '../../route/route.ts';
import { sourcePage } from './source-page.ts';

const sinkWithStatistics = sinkSchema
  .extend({
    statistics: statisticsSchema.extend({
      files: z.array(fileSchema).meta({
        description: 'What waits and the last import, the newest first; `statistics/files` of the sink lists more.',
      }),
    }),
  })
  .meta({ id: 'AggregatedSink' });

const sourceWithSinks = sourceSchema.extend({ sinks: z.array(sinkWithStatistics) }).meta({ id: 'AggregatedSource' });

const schema = z
  .object({ projectId: z.int(), branchId: z.int(), page: pageSchema, sources: z.array(sourceWithSinks) })
  .meta({ id: 'AggregatedSourceList' });

export const aggregateSourcesRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/aggregation/sources',
  access: 'read',
  streams: true,
  operationId: 'aggregateSources',
  summary: 'List the sources of a branch with their sinks and the statistics of each.',
  params: branchPath,
  query: pageQuery,
  responses: { 200: { description: 'A page of sources, ascending by id, with all their sinks.', schema } },
  handle: async ({ params, query }, context, { signal }) => {
    const branchId = branchOf(params);
    const { addresses } = context;
    const { page, items } = await sourcePage(context, { branchId, state: 'there', query }, { signal });
    const sources = await aggregateSources(context, items, { signal });
    const { projectId } = addresses;
    const content = Readable.from(longListJson({ projectId, branchId, page }, 'sources', views(sources, addresses)));
    return { kind: 'stream', contentType: 'application/json', content };
  },
});

function* views(sources: readonly AggregatedSource[], addresses: Addresses): Generator<object> {
  for (const one of sources) yield view(one, addresses);
}

function view({ source, sinks }: AggregatedSource, addresses: Addresses): z.input<typeof sourceWithSinks> {
  return {
    ...sourceView(source, addresses),
    sinks: sinks.map(({ sink, levels, files }) => ({
      ...sinkView(sink, addresses.projectId),
      statistics: { ...statisticsView(levels), files: newestFirst(files).map(fileView) },
    })),
  };
}
