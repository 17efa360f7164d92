import { flushSink } from '../../../control/operations/flush-sink.ts';
import { sinkPath } from '../../schemas/path.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { defineChange } from '../../route/route.ts';
import { taskReply, taskResponse } from './task-reply.ts';

export const flushSinkRoute = defineChange({
  method: 'POST',
  path: '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/flush',
  access: 'write',
  operationId: 'flushSink',
  summary: 'Deliver now what was accepted before the call; the task ends when it is in the table.',
  params: sinkPath,
  responses: taskResponse,
  handle: async ({ params }, context, { change, signal }) =>
    taskReply(context, await flushSink(context, { key: sinkKeyOf(params), change }, { signal })),
});
