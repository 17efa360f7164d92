import { progressId } from '../../../documents/document-id.ts';
import { MillraceError } from '../../../core/millrace-error.ts';
import { effectiveSettings } from '../../../core/settings/effective.ts';
import { openSlices } from '../../../control/reports/open-slices.ts';
import { endsIfKnown } from '../../../control/ends/ends-if-known.ts';
import { readStatuses } from '../../../control/store/read-statuses.ts';
import { readWitnessed } from '../../../control/reports/read-witnessed.ts';
import { sinkPath } from '../../schemas/path.ts';
import { progressSchema, progressView } from '../../views/progress-view.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { defineRoute, ok } from '../../route/route.ts';

export const sinkProgressRoute = defineRoute({
  method: 'GET',
  path: '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/progress',
  access: 'read',
  operationId: 'getSinkProgress',
  summary: 'Show where every event of a sink is, in exact numbers, and what keeps it if anything does.',
  params: sinkPath,
  responses: { 200: { description: 'Numbers per partition and in total.', schema: progressSchema } },
  handle: async ({ params }, context, { signal }) => {
    const { definitions, sourceLog, addresses, clock } = context;
    const key = sinkKeyOf(params);
    const source = await definitions.source(key, { signal });
    const sink = await definitions.sink(key, { signal });
    const { incarnation } = sink;
    const read = () => definitions.progress(incarnation, { signal });
    const witnessed = await readWitnessed(context.tables, { incarnation, read }, { signal });
    if (witnessed === undefined)
      throw new MillraceError('catalog.invalidDocument', `the sink "${key.sinkId}" has no progress document`);
    const { progress, ledger } = witnessed;
    const found = await endsIfKnown(sourceLog, progress.topics, { signal });
    const ends = 'unknown' in found ? found : found.durable;
    const prefix = `${progressId(incarnation)}/`;
    const last = progress.lastImport?.number;
    return ok(
      progressView({
        projectId: addresses.projectId,
        progress,
        ends,
        acknowledged: 'unknown' in found ? undefined : found.acknowledged,
        ledger,
        settings: effectiveSettings(source.settings, sink.settings),
        statuses: await readStatuses(context, prefix, { signal }),
        lastNote: last === undefined ? undefined : await definitions.importNote(incarnation, last, { signal }),
        openSlices: (await openSlices(context)).filter(
          (slice) => slice.incarnation === incarnation && !slice.isClosing,
        ),
        standstill: context.standstillOf?.(incarnation),
        retentionUsed: context.retentionUsedBy?.(incarnation),
        now: clock.now(),
      }),
    );
  },
});
