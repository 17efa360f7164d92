import { z } from 'zod';
import { clearSinkStatistics, clearSourceStatistics } from '../../../control/operations/clear-statistics.ts';
import { readSinkFiles } from '../../../control/reports/read-sink-files.ts';
import { readSinkLevels } from '../../../control/reports/sink-levels.ts';
import { maybe } from '../../schemas/field.ts';
import { sinkPath, sourcePath } from '../../schemas/path.ts';
import { byState, failedOnly } from '../../../control/reports/file-order.ts';
import { fileSchema, fileView } from '../../views/file-view.ts';
import { statisticsSchema, statisticsView } from '../../views/statistics-view.ts';
import { sinkKeyOf, sourceKeyOf } from '../../schemas/key-of-path.ts';
import { sinkKind, sourceKind } from './object-kind.ts';
import { defineChange, defineRoute, ok } from '../../route/route.ts';

const ofSource = `${sourceKind.path}/statistics`;
const ofSink = `${sinkKind.path}/statistics`;

export const getSinkStatisticsRoute = defineRoute({
  method: 'GET',
  path: `${ofSink}/total`,
  access: 'read',
  operationId: 'getSinkStatisticsTotal',
  summary: 'Count the rows of a sink, deleted or not, before staging, in staging and in the table.',
  params: sinkPath,
  responses: { 200: { description: 'Their sum, and each level that holds anything.', schema: statisticsSchema } },
  handle: async ({ params }, context, { signal }) => {
    const sink = await context.definitions.knownSink(sinkKeyOf(params), { signal });
    return ok(statisticsView(await readSinkLevels(context, sink, { signal })));
  },
});

const filesQuery = z.object({
  failedFiles: maybe(z.enum(['true', 'false'])).meta({
    description: '`true`: only files whose import failed and is tried again.',
  }),
});

export const getSinkFilesRoute = defineRoute({
  method: 'GET',
  path: `${ofSink}/files`,
  access: 'read',
  operationId: 'getSinkStatisticsFiles',
  summary: 'List what was imported together, what is being imported, and what waits for it, each with its rows.',
  params: sinkPath,
  query: filesQuery,
  responses: {
    200: {
      description: 'Imported ones first, as far as the history has them; those that do not get on last.',
      schema: z.object({ files: z.array(fileSchema) }).meta({ id: 'SinkFiles' }),
    },
  },
  handle: async ({ params, query: { failedFiles } }, context, { signal }) => {
    const sink = await context.definitions.knownSink(sinkKeyOf(params), { signal });
    const all = await readSinkFiles(context, sink, { signal });
    const files = byState(failedFiles === 'true' ? failedOnly(all) : all);
    return ok({ files: files.map(fileView) });
  },
});

const cleared = { 200: { description: 'Done; rows that wait are still counted.', schema: z.object({}) } };

export const clearSinkStatisticsRoute = defineChange({
  method: 'DELETE',
  path: `${ofSink}/clear`,
  access: 'write',
  operationId: 'clearSinkStatistics',
  summary: 'Count what is imported of a sink anew from here on; the table and the progress of the sink stay.',
  params: sinkPath,
  responses: cleared,
  handle: async ({ params }, context, { change, signal }) => {
    await clearSinkStatistics(context, { key: sinkKeyOf(params), change }, { signal });
    return ok({});
  },
});

export const clearSourceStatisticsRoute = defineChange({
  method: 'DELETE',
  path: `${ofSource}/clear`,
  access: 'write',
  operationId: 'clearSourceStatistics',
  summary: 'Count what is imported of all sinks of a source anew from here on.',
  params: sourcePath,
  responses: cleared,
  handle: async ({ params }, context, { change, signal }) => {
    await clearSourceStatistics(context, { key: sourceKeyOf(params), change }, { signal });
    return ok({});
  },
});
