import type { Task } from '../../../core/task.ts';
import type { ApiContext } from '../../api-context.ts';
import { taskSchema, taskView } from '../../views/task-view.ts';
import { accepted, type Reply } from '../../route/route.ts';

/** The answer of an operation that goes on after it: 202 with the task. */
export function taskReply({ addresses }: ApiContext, task: Task): Reply {
  return accepted(taskView(task, addresses));
}

/** How such an answer is described. */
export const taskResponse = { 202: { description: 'The task that does it; poll its `url`.', schema: taskSchema } };
