import { Readable } from 'node:stream';
import { z } from 'zod';
import { parseSourceId } from '../../../core/ids.ts';
import { reportConservation, type ReportedSource } from '../../../control/samples/conservation-report.ts';
import { defineRoute } from '../../route/route.ts';
import { durationText, maybe } from '../../schemas/field.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { branchPath } from '../../schemas/path.ts';
import { conservationHead, conservationOfSource, conservationSchema } from '../../views/conservation-view.ts';
import { longListJson } from '../../views/long-list-json.ts';

const minuteMs = 60_000;
const dayMs = 24 * 3_600_000;

const query = z.object({
  since: maybe(durationText({ name: 'since', minMs: minuteMs, maxMs: 91 * dayMs })).meta({
    description:
      'How far back samples are shown, as `24h`: by the minute up to a day, by the hour beyond. A day when absent.',
  }),
  sourceId: maybe(z.string()).meta({ description: 'Only this source and its sinks.' }),
});

export const conservationRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/conservation',
  access: 'read',
  streams: true,
  operationId: 'getConservation',
  summary: 'Tell whether every event of a branch arrived: a verdict, exact numbers of each sink, and samples of them.',
  params: branchPath,
  query,
  refuses: ['sourceNotFound'],
  responses: { 200: { description: 'The numbers now, and as they were.', schema: conservationSchema } },
  handle: async ({ params, query: { since = dayMs, sourceId } }, context, { signal }) => {
    const branchId = branchOf(params);
    const only = sourceId === undefined ? undefined : parseSourceId(sourceId);
    const report = await reportConservation(context, { branchId, sourceId: only, sinceMs: since }, { signal });
    const head = conservationHead(report, { projectId: context.addresses.projectId, branchId });
    const content = Readable.from(longListJson(head, 'sources', views(report.sources)));
    return { kind: 'stream', contentType: 'application/json', content };
  },
});

function* views(sources: readonly ReportedSource[]): Generator<object> {
  for (const one of sources) yield conservationOfSource(one);
}
