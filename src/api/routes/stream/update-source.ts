import { updateSource } from '../../../control/operations/update-source.ts';
import { sourcePath } from '../../schemas/path.ts';
import { updateSourceBody } from '../../schemas/source-body.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { defineChange } from '../../route/route.ts';
import { sourceKind } from './object-kind.ts';
import { taskReply, taskResponse } from './task-reply.ts';

export const updateSourceRoute = defineChange({
  method: 'PATCH',
  path: sourceKind.path,
  access: 'write',
  operationId: 'updateSource',
  summary: 'Change name, description or type of a source. Another type makes another secret.',
  params: sourcePath,
  body: updateSourceBody,
  responses: taskResponse,
  refuses: ['versionCountLimitReached'],
  handle: async ({ params, body }, context, { change, signal }) =>
    taskReply(context, await updateSource(context, { key: sourceKeyOf(params), wanted: body, change }, { signal })),
});
