import { z } from 'zod';
import { cascadeSource } from '../../../control/operations/cascade-source.ts';
import { switchSource } from '../../../control/operations/switch-source.ts';
import { maybe } from '../../schemas/field.ts';
import { sourcePath } from '../../schemas/path.ts';
import { sourceKeyOf } from '../../schemas/key-of-path.ts';
import { defineChange } from '../../route/route.ts';
import { sourceKind } from './object-kind.ts';
import { taskReply, taskResponse } from './task-reply.ts';

const query = z.object({
  cascade: maybe(z.enum(['true', 'false'])).meta({
    description:
      '`true`: the source is gone for good, with its sinks, all versions and the tables of the sinks; what is not in them by then is given up.',
  }),
});

export const deleteSourceRoute = defineChange({
  method: 'DELETE',
  path: sourceKind.path,
  access: 'write',
  operationId: 'deleteSource',
  summary:
    'Delete a source and its sinks softly, what was accepted is still delivered and tables stay; or for good, with its tables.',
  params: sourcePath,
  query,
  responses: taskResponse,
  handle: async ({ params, query: { cascade } }, context, { change, signal }) => {
    const key = sourceKeyOf(params);
    if (cascade === 'true') return taskReply(context, await cascadeSource(context, { key, change }, { signal }));
    return taskReply(context, await switchSource(context, { key, operation: 'delete', change }, { signal }));
  },
});
