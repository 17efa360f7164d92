import { ApiError } from '../../errors/api-error.ts';
import { taskPath } from '../../schemas/path.ts';
import { taskSchema, taskView } from '../../views/task-view.ts';
import { defineRoute, ok } from '../../route/route.ts';

const maxTaskId = 400;

export const getTaskRoute = defineRoute({
  method: 'GET',
  path: '/v1/tasks/{taskId*}',
  access: 'read',
  operationId: 'getTask',
  summary: 'Get a task. Successful ones are kept for an hour, failed ones for two days.',
  params: taskPath,
  responses: { 200: { description: 'The task.', schema: taskSchema } },
  handle: async ({ params: { taskId } }, { tasks, addresses }, { signal }) => {
    const task = taskId.length > maxTaskId ? undefined : await tasks.find(taskId, { signal });
    if (task === undefined) throw new ApiError('taskNotFound', `task "${taskId.slice(0, maxTaskId)}" not found`);
    return ok(taskView(task, addresses));
  },
});
