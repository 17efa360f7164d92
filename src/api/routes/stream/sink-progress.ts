import { reportSink } from '../../../control/reports/sink-report.ts';
import { sinkPath } from '../../schemas/path.ts';
import { progressSchema, progressView } from '../../views/progress-view.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { sinkKind } from './object-kind.ts';
import { defineRoute, ok } from '../../route/route.ts';

export const sinkProgressRoute = defineRoute({
  method: 'GET',
  path: `${sinkKind.path}/progress`,
  access: 'read',
  operationId: 'getSinkProgress',
  summary:
    'Show where every event of a sink is, in exact numbers, and what keeps it if anything does; of a deleted one while something of it is left.',
  params: sinkPath,
  responses: { 200: { description: 'Numbers per partition and in total.', schema: progressSchema } },
  handle: async ({ params }, context, { signal }) => {
    const report = await reportSink(context, sinkKeyOf(params), { signal });
    return ok(progressView(report, context.addresses.projectId));
  },
});
