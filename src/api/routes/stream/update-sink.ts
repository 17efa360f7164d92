import { updateSink } from '../../../control/operations/update-sink.ts';
import { sinkPath } from '../../schemas/path.ts';
import { updateSinkBody } from '../../schemas/sink-body.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { defineChange } from '../../route/route.ts';
import { sinkKind } from './object-kind.ts';
import { taskReply, taskResponse } from './task-reply.ts';

export const updateSinkRoute = defineChange({
  method: 'PATCH',
  path: sinkKind.path,
  access: 'write',
  operationId: 'updateSink',
  summary: 'Change a sink. Each event is mapped by exactly one version of the mapping.',
  params: sinkPath,
  body: updateSinkBody,
  responses: taskResponse,
  refuses: ['versionCountLimitReached'],
  handle: async ({ params, body }, context, { change, signal }) =>
    taskReply(context, await updateSink(context, { key: sinkKeyOf(params), wanted: body, change }, { signal })),
});
