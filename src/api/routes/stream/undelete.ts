import { undeleteSink } from '../../../control/operations/undelete-sink.ts';
import { undeleteSource } from '../../../control/operations/undelete-source.ts';
import { sinkPath, sourcePath } from '../../schemas/path.ts';
import { sinkKeyOf, sourceKeyOf } from '../../schemas/key-of-path.ts';
import { defineChange } from '../../route/route.ts';
import { taskReply, taskResponse } from './task-reply.ts';

export const undeleteSourceRoute = defineChange({
  method: 'PUT',
  path: '/v1/branches/{branchId}/sources/{sourceId}/undelete',
  access: 'write',
  operationId: 'undeleteSource',
  summary:
    'Bring a deleted source back as it was, with the sinks that were deleted with it; they take events from then on.',
  params: sourcePath,
  responses: taskResponse,
  refuses: ['deletedSourceNotFound', 'sourceCountLimitReached', 'versionCountLimitReached'],
  handle: async ({ params }, context, { change, signal }) =>
    taskReply(context, await undeleteSource(context, { key: sourceKeyOf(params), change }, { signal })),
});

export const undeleteSinkRoute = defineChange({
  method: 'PUT',
  path: '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}/undelete',
  access: 'write',
  operationId: 'undeleteSink',
  summary: 'Bring a deleted sink back as it was; it takes events from then on.',
  params: sinkPath,
  responses: taskResponse,
  refuses: ['deletedSinkNotFound', 'sinkCountLimitReached', 'versionCountLimitReached'],
  handle: async ({ params }, context, { change, signal }) =>
    taskReply(context, await undeleteSink(context, { key: sinkKeyOf(params), change }, { signal })),
});
