import { switchSource } from '../../../control/operations/switch-source.ts';
import { sourcePath } from '../../schemas/path.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { defineChange, type Route } from '../../route/route.ts';
import { taskReply, taskResponse } from './task-reply.ts';

function switchRoute(operation: 'disable' | 'enable', summary: string): Route {
  return defineChange({
    method: 'PUT',
    path: `/v1/branches/{branchId}/sources/{sourceId}/${operation}`,
    access: 'write',
    operationId: `${operation}Source`,
    summary,
    params: sourcePath,
    responses: taskResponse,
    refuses: ['versionCountLimitReached'],
    handle: async ({ params }, context, { change, signal }) =>
      taskReply(context, await switchSource(context, { key: sourceKeyOf(params), operation, change }, { signal })),
  });
}

export const disableSourceRoute = switchRoute('disable', 'Refuse events of a source; its sinks are disabled with it.');
export const enableSourceRoute = switchRoute(
  'enable',
  'Take events again; sinks that were disabled with the source come back.',
);
