import { createSink } from '../../../control/operations/create-sink.ts';
import { planSink } from '../../../control/operations/sink-plan.ts';
import { sourcePath } from '../../schemas/path.ts';
import { createSinkBody } from '../../schemas/sink-body.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { madeSinkId } from '../../schemas/made-id.ts';
import { defineChange } from '../../route/route.ts';
import { sourceKind } from './object-kind.ts';
import { taskReply, taskResponse } from './task-reply.ts';

export const createSinkRoute = defineChange({
  method: 'POST',
  path: `${sourceKind.path}/sinks`,
  access: 'write',
  operationId: 'createSink',
  summary: 'Create a sink; its table is made when it does not exist.',
  params: sourcePath,
  body: createSinkBody,
  responses: taskResponse,
  refuses: ['sinkAlreadyExists', 'sinkCountLimitReached', 'versionCountLimitReached'],
  handle: async ({ params, body }, context, { change, signal }) => {
    const source = sourceKeyOf(params);
    await context.definitions.source(source, { signal });
    const key = { ...source, sinkId: madeSinkId(body) };
    const plan = await planSink({ key, input: body, trials: context.trials }, { signal });
    return taskReply(context, await createSink(context, { plan, change }, { signal }));
  },
});
