import { z } from 'zod';
import { ApiError } from '../errors/api-error.ts';
import { switchSource } from '../operations/switch-source.ts';
import { maybe } from '../schemas/field.ts';
import { sourcePath } from '../schemas/path.ts';
import { sourceKeyOf } from './key-of-path.ts';
import { defineRoute } from './route.ts';
import { taskReply, taskResponse } from './task-reply.ts';

const query = z.object({
  cascade: maybe(z.enum(['true', 'false'])).meta({ description: 'Only `false`: tables are kept.' }),
});

export const deleteSourceRoute = defineRoute({
  method: 'DELETE',
  path: '/v1/branches/{branchId}/sources/{sourceId}',
  access: 'write',
  operationId: 'deleteSource',
  summary: 'Delete a source and its sinks softly; what was accepted is still delivered, tables stay.',
  params: sourcePath,
  query,
  responses: taskResponse,
  handle: async ({ params, query: { cascade } }, context, { by, signal }) => {
    const key = sourceKeyOf(params);
    if (cascade === 'true') {
      const message = 'cascade=true is not offered: delete the source without it, then drop the tables of its sinks';
      throw new ApiError('badRequest', message);
    }
    return taskReply(context, await switchSource(context, { key, operation: 'delete', by }, { signal }));
  },
});
