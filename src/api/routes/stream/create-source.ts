import type { SourceKey } from '../../../core/ids.ts';
import { limits } from '../../../core/limits.ts';
import { createSource, type SourcePlan } from '../../../control/operations/create-source.ts';
import { planSink, type SinkPlan } from '../../../control/operations/sink-plan.ts';
import { branchPath } from '../../schemas/path.ts';
import { createSinkBody } from '../../schemas/sink-body.ts';
import { createSourceBody } from '../../schemas/source-body.ts';
import { branchOf } from '../../schemas/key-of-path.ts';
import { madeSinkId, madeSourceId } from '../../schemas/made-id.ts';
import { defineChange } from '../../route/route.ts';
import { taskReply, taskResponse } from './task-reply.ts';

export const createSourceRoute = defineChange({
  method: 'POST',
  path: '/v1/branches/{branchId}/sources',
  access: 'write',
  operationId: 'createSource',
  summary: 'Create a source, with sinks if any are given.',
  params: branchPath,
  body: createSourceBody,
  elements: { field: 'sinks', schema: createSinkBody, most: limits.sinksPerSource },
  responses: taskResponse,
  refuses: ['sourceAlreadyExists', 'sourceCountLimitReached', 'sinkCountLimitReached', 'versionCountLimitReached'],
  handle: async ({ params, body }, context, { change, signal }) => {
    const key: SourceKey = { branchId: branchOf(params), sourceId: madeSourceId(body) };
    const { trials } = context;
    const sinks: SinkPlan[] = [];
    for (const input of body.sinks ?? [])
      sinks.push(await planSink({ key: { ...key, sinkId: madeSinkId(input) }, input, trials }, { signal }));
    const { type, name, description = '', partitions } = body;
    const plan: SourcePlan = { key, type, name, description, partitions, sinks };
    return taskReply(context, await createSource(context, { plan, change }, { signal }));
  },
});
