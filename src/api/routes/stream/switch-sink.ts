import { switchSink, type SinkSwitch } from '../../../control/operations/switch-sink-task.ts';
import { sinkPath } from '../../schemas/path.ts';
import { sinkKeyOf } from '../../schemas/key-of-path.ts';
import { defineChange, type Method, type Route } from '../../route/route.ts';
import { taskReply, taskResponse } from './task-reply.ts';

const one = '/v1/branches/{branchId}/sources/{sourceId}/sinks/{sinkId}';

interface SwitchDescription {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
}

function switchRoute(operation: SinkSwitch['operation'], description: SwitchDescription): Route {
  return defineChange({
    ...description,
    access: 'write',
    operationId: `${operation}Sink`,
    params: sinkPath,
    responses: taskResponse,
    refuses: ['sourceDisabled', 'versionCountLimitReached'],
    handle: async ({ params }, context, { change, signal }) =>
      taskReply(context, await switchSink(context, { key: sinkKeyOf(params), operation, change }, { signal })),
  });
}

export const disableSinkRoute = switchRoute('disable', {
  method: 'PUT',
  path: `${one}/disable`,
  summary: 'Take no more events; what was accepted is still delivered, then the token of the sink is revoked.',
});
export const enableSinkRoute = switchRoute('enable', {
  method: 'PUT',
  path: `${one}/enable`,
  summary: 'Take events again, from now on, with a token made anew.',
});
export const deleteSinkRoute = switchRoute('delete', {
  method: 'DELETE',
  path: one,
  summary: 'Delete a sink softly; what was accepted is still delivered, the table stays.',
});
