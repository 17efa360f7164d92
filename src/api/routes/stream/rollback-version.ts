import { rollbackSink } from '../../../control/operations/rollback-sink.ts';
import { rollbackSource } from '../../../control/operations/rollback-source.ts';
import { sinkVersionPath, sourceVersionPath } from '../../schemas/version-query.ts';
import { sinkKeyOf, sourceKeyOf } from '../../schemas/key-of-path.ts';
import { defineChange } from '../../route/route.ts';
import { sinkKind, sourceKind } from './object-kind.ts';
import { taskReply, taskResponse } from './task-reply.ts';

const rollback = 'versions/{versionNumber}/rollback';

export const rollbackSourceVersionRoute = defineChange({
  method: 'PUT',
  path: `${sourceKind.path}/${rollback}`,
  access: 'write',
  operationId: 'rollbackSourceVersion',
  summary: 'Make a new version of a source that is like an older one; it stays enabled or disabled.',
  params: sourceVersionPath,
  responses: taskResponse,
  refuses: ['sourceVersionNotFound', 'versionCountLimitReached', 'invalidFieldType', 'invalidRange'],
  handle: async ({ params }, context, { change, signal }) => {
    const what = { key: sourceKeyOf(params), number: params.versionNumber, change };
    return taskReply(context, await rollbackSource(context, what, { signal }));
  },
});

export const rollbackSinkVersionRoute = defineChange({
  method: 'PUT',
  path: `${sinkKind.path}/${rollback}`,
  access: 'write',
  operationId: 'rollbackSinkVersion',
  summary: 'Make a new version of a sink that is like an older one; its table is checked or made as in an update.',
  params: sinkVersionPath,
  responses: taskResponse,
  refuses: ['sinkVersionNotFound', 'versionCountLimitReached', 'invalidFieldType', 'invalidRange'],
  handle: async ({ params }, context, { change, signal }) => {
    const what = { key: sinkKeyOf(params), number: params.versionNumber, change };
    return taskReply(context, await rollbackSink(context, what, { signal }));
  },
});
